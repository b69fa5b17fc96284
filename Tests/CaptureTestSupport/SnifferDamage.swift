import BluetoothWire
package import CaptureFormats
package import SimKernel

/// What sniffers and loggers do to a capture of the air.
package enum SnifferDamage: CaseIterable {
  /// Single PDUs, and several in a row, were not heard.
  case lostPDUs, lostBursts
  /// Whole connection events were not heard.
  case lostEvents
  /// A direction is the wrong one now and then.
  case wrongDirections
  /// The first PDU of an event was not heard, and directions are told by order.
  case directionsByOrder
  /// An octet is another one, and the header calls the CRC right.
  case badMarkedGood
  /// A CRC is wrong, and the header says so.
  case badMarkedBad
  /// The sniffer has the key, and cannot decrypt some PDUs.
  case missingDecryption
  case cutBeginning
  /// The clock is set forward or back.
  case clockSteps
  /// Neighbours are written in the wrong order, with their own times or with each other's.
  case reordered

  package func apply(to records: [CaptureRecord], _ random: inout RandomStream) -> [CaptureRecord] {
    let rate = [10, 30, 100, 300][Int(random.next() % 4)]
    func hits(_ random: inout RandomStream) -> Bool { random.next() % 1_000 < rate }
    var kept: [CaptureRecord] = []
    switch self {
    case .lostPDUs: kept = records.filter { !Self.isData($0) || !hits(&random) }
    case .lostBursts:
      var isLosing = false
      kept = records.filter { record in
        isLosing = isLosing ? random.next() % 10 < 6 : hits(&random)
        return !Self.isData(record) || !isLosing
      }
    case .lostEvents: kept = Self.events(records).filter { !Self.isData($0[0]) || !hits(&random) }.flatMap { $0 }
    case .wrongDirections:
      kept = records.map { hits(&random) ? Self.altered($0) { $0.isFromCentral = $0.isFromCentral.map { !$0 } } : $0 }
    case .directionsByOrder:
      for event in Self.events(records) {
        guard Self.isData(event[0]), hits(&random) else {
          kept += event
          continue
        }
        kept += event.dropFirst().map { Self.altered($0) { $0.isFromCentral = $0.isFromCentral.map { !$0 } } }
      }
    case .badMarkedGood: kept = records.map { hits(&random) ? Self.damaged($0, &random) : $0 }
    case .badMarkedBad: kept = records.map { hits(&random) ? Self.altered($0) { $0.isCRCValid = false } : $0 }
    case .missingDecryption: kept = Self.decrypted(records, &random) { hits(&$0) }
    case .cutBeginning: kept = Array(records.dropFirst(Int(random.next() % UInt64(max(1, records.count * 3 / 4)))))
    case .clockSteps:
      var offset: Int64 = 0
      kept = records.map { record in
        if random.next() % 200 == 0 {
          // Seconds, or hours.
          let size: UInt64 = random.next() % 4 == 0 ? 30_000_000_000_000 : 4_000_000_000
          offset += Int64(random.next() % size) - Int64(size / 2)
        }
        var record = record
        record.nanoseconds += offset
        return record
      }
    case .reordered: kept = Self.reordered(records, &random) { hits(&$0) }
    }
    for index in kept.indices { kept[index].number = index + 1 }
    return kept
  }

  // MARK: Pieces

  private static func header(_ record: CaptureRecord) -> AirHeader? {
    guard case .air(let header) = record.body else { return nil }
    return header
  }

  package static func isData(_ record: CaptureRecord) -> Bool {
    header(record)?.accessAddress != LL.advertisingAccessAddress
  }

  package static func altered(_ record: CaptureRecord, _ alter: (inout AirHeader) -> Void) -> CaptureRecord {
    guard var header = header(record) else { return record }
    alter(&header)
    var record = record
    record.body = .air(header)
    return record
  }

  /// PDUs of one connection that follow each other within 3 ms.
  private static func events(_ records: [CaptureRecord]) -> [[CaptureRecord]] {
    var events: [[CaptureRecord]] = []
    for record in records {
      if let last = events.last?.last, isData(last), header(last)?.accessAddress == header(record)?.accessAddress,
        record.nanoseconds - last.nanoseconds < 3_000_000
      {
        events[events.count - 1].append(record)
      } else {
        events.append([record])
      }
    }
    return events
  }

  private static func damaged(_ record: CaptureRecord, _ random: inout RandomStream) -> CaptureRecord {
    var octets = Array(record.octets)
    // A sniffer that finds another length keeps another number of octets; here the length stays.
    var place = Int(random.next() % UInt64(octets.count))
    if place == 1 { place = 0 }
    octets[place] ^= UInt8(1 << (random.next() % 8))
    var record = record
    record.octets = octets[...]
    return altered(record) { $0.isCRCValid = true }
  }

  /// From a third of the capture on, all payloads are decrypted ones, except those that the sniffer could not read.
  private static func decrypted(
    _ records: [CaptureRecord], _ random: inout RandomStream, _ isMissed: (inout RandomStream) -> Bool
  ) -> [CaptureRecord] {
    records.enumerated().map { index, record in
      guard index > records.count / 3, isData(record), record.octets.count > 2 else { return record }
      if !isMissed(&random) {
        return altered(record) {
          $0.isEncrypted = true
          $0.isDecrypted = true
        }
      }
      var record = record
      let length = record.octets.count + 2
      let cipher = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      record.octets = ([record.octets[record.octets.startIndex], UInt8(length)] + cipher)[...]
      return altered(record) {
        $0.isEncrypted = true
        $0.isDecrypted = false
        $0.crc = nil
      }
    }
  }

  private static func reordered(
    _ records: [CaptureRecord], _ random: inout RandomStream, _ isHit: (inout RandomStream) -> Bool
  ) -> [CaptureRecord] {
    var records = records
    for index in records.indices.dropFirst() where isHit(&random) {
      records.swapAt(index - 1, index)
      if random.next() % 2 == 0 {
        let time = records[index].nanoseconds
        records[index].nanoseconds = records[index - 1].nanoseconds
        records[index - 1].nanoseconds = time
      }
    }
    return records
  }
}
