package android.os

import java.util.UUID

data class ParcelUuid(val uuid: UUID)
