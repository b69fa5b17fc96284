import CLibCrypto

/// The curve P-256 of FIPS 186, as libcrypto has it. Numbers have 32 octets, most significant first; a point is X, then
/// Y.
enum P256Curve {
  /// A multiple of a point, or of the generator.
  ///
  /// Nil when the scalar is no private key (zero, the order of the curve or more, not 32 octets), or `point` is none of
  /// the curve. The order is prime, so that no other input gives the point at infinity.
  static func multiple(_ scalar: [UInt8], of point: [UInt8]?) -> [UInt8]? {
    let group = EC_GROUP_new_by_curve_name_ex(LibCrypto.library, nil, NID_X9_62_prime256v1)
    defer { EC_GROUP_free(group) }
    let factor = BN_bin2bn(scalar, Int32(scalar.count), nil)
    defer { BN_clear_free(factor) }
    guard scalar.count == 32, BN_is_zero(factor) == 0, BN_cmp(factor, EC_GROUP_get0_order(group)) < 0 else {
      return nil
    }
    let (product, other) = (EC_POINT_new(group), EC_POINT_new(group))
    defer {
      EC_POINT_free(product)
      EC_POINT_free(other)
    }
    if let point {
      guard EC_POINT_oct2point(group, other, [Self.uncompressed] + point, point.count + 1, nil) == 1 else { return nil }
      LibCrypto.require(EC_POINT_mul(group, product, nil, other, factor, nil))
    } else {
      LibCrypto.require(EC_POINT_mul(group, product, factor, nil, nil, nil))
    }
    var octets = [UInt8](repeating: 0, count: 65)
    let count = EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil)
    precondition(count == octets.count, "a point has 65 octets")
    return Array(octets.dropFirst())
  }

  /// The first octet of a point of which both coordinates follow (SEC 1, 2.3.3).
  private static let uncompressed: UInt8 = 4
}
