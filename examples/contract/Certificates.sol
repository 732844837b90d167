// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Verifies that members of a registry with enough weight signed a message, with the BLS12-381 precompiles of EIP-2537.
/// The deployer registers the members, each with a proof of possession, and seals the registry, which cannot change
/// afterwards. A call that runs out of gas reverts; it never reports a certificate as invalid. This contract is tested,
/// but has not been audited.
contract Certificates {
    /// True for keys in G2 and signatures in G1; false for keys in G1 and signatures in G2.
    bool public immutable isMinSig;
    /// Minimum share of the total weight that the signers must have.
    uint256 public immutable numerator;
    uint256 public immutable denominator;
    address public immutable owner;
    bool public isSealed;
    uint256 public size;
    uint256 public total;
    /// Digest of the members' keys and weights, in the order of registration.
    bytes32 public registry;
    /// Members, stored as code of other accounts after a zero byte: each key without the zeros that pad its coordinates,
    /// then a weight of eight bytes. Code costs less gas to read than storage.
    address[] private chunks;
    /// Sum of all keys, from which the keys of absent members are subtracted if fewer members are absent than present.
    bytes private sumOfAll;
    /// Hashes of the members' x-coordinates. A key and its negative have the same x-coordinate.
    mapping(bytes32 => bool) private isMember;

    uint256 private constant P_HIGH = 0x1a0111ea397fe69a4b1ba7b6434bacd7;
    uint256 private constant P_LOW = 0x64774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab;
    /// (p - 1) / 2. A flag of a compressed point states whether y is larger.
    uint256 private constant HALF_HIGH = 0xd0088f51cbff34d258dd3db21a5d66b;
    uint256 private constant HALF_LOW = 0xb23ba5c279c2895fb39869507b587b120f55ffff58a9ffffdcff7fffffffd555;
    uint256 private constant MODEXP = 0x05;
    uint256 private constant G1ADD = 0x0b;
    uint256 private constant G2ADD = 0x0d;
    uint256 private constant PAIRING = 0x0f;
    uint256 private constant MAP_TO_G1 = 0x10;
    uint256 private constant MAP_TO_G2 = 0x11;
    /// A pairing check with two pairs costs 102,900 gas. A failing check consumes all gas that is passed to it.
    uint256 private constant PAIRING_GAS = 103_000;
    /// A call gets at most 63/64 of the remaining gas. This is 64/63 of PAIRING_GAS, and over 1,000 for the call itself.
    uint256 private constant GAS_BEFORE_PAIRING = 106_000;

    bytes private constant NEGATED_G1 =
        hex"0000000000000000000000000000000017f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
        hex"00000000000000000000000000000000114d1d6855d545a8aa7d76c8cf2e21f267816aef1db507c96655b9d5caac42364e6f38ba0ecb751bad54dcd6b939c2ca";
    bytes private constant NEGATED_G2 =
        hex"00000000000000000000000000000000024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
        hex"0000000000000000000000000000000013e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
        hex"000000000000000000000000000000000d1b3cc2c7027888be51d9ef691d77bcb679afda66c73f17f9ee3837a55024f78c71363275a75d75d86bab79f74782aa"
        hex"0000000000000000000000000000000013fa4d4a0ad8b1ce186ed5061789213d993923066dddaf1040bc3ff59f825c78df74f2d75467e25e0f55f8a00fa030ed";

    /// Sets the share, which must be above 0 and at most 1. The sum of the weights is below 2^128, so no product with the
    /// share overflows.
    constructor(bool minSig, uint256 num, uint256 den) {
        require(num > 0 && num <= den && den <= type(uint128).max, "share");
        (isMinSig, numerator, denominator, owner) = (minSig, num, den, msg.sender);
        sumOfAll = new bytes(minSig ? 256 : 128);
    }

    // --- The registry -----------------------------------------------------------------------------------------------

    /// Adds members. Keys and proofs are uncompressed and end to end. A proof of possession also shows that its key
    /// is in the subgroup, which additions do not check. A key that is already registered, or whose negative is, is
    /// refused.
    function register(bytes calldata keys, uint64[] calldata weights, bytes calldata proofs) external {
        require(msg.sender == owner && !isSealed, "closed");
        uint256 keyBytes = isMinSig ? 256 : 128;
        uint256 proofBytes = isMinSig ? 128 : 256;
        uint256 count = weights.length;
        require(keys.length == count * keyBytes && proofs.length == count * proofBytes, "lengths");
        bytes memory acc = sumOfAll;
        bytes memory code = new bytes(1);
        uint256 sum = total;
        for (uint256 i = 0; i < count; i++) {
            bytes memory key = keys[i * keyBytes:(i + 1) * keyBytes];
            require(weights[i] > 0, "weight");
            require(!isZero(key), "infinite key");
            bytes memory packed = pack(key);
            bytes32 x = keccak256(slice(packed, 0, packed.length / 2));
            require(!isMember[x], "duplicate key");
            isMember[x] = true;
            require(
                holds(
                    key,
                    hashToCurve(compress(packed), isMinSig
                        ? bytes("BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_")
                        : bytes("BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_")),
                    proofs[i * proofBytes:(i + 1) * proofBytes]
                ),
                "possession"
            );
            add(acc, key);
            sum += weights[i];
            code = bytes.concat(code, packed, bytes8(weights[i]));
        }
        (sumOfAll, total) = (acc, sum);
        size += count;
        registry = keccak256(abi.encode(registry, keccak256(code)));
        chunks.push(deploy(code));
    }

    function seal() external {
        require(msg.sender == owner && size > 0, "closed");
        isSealed = true;
    }

    // --- Certificates -----------------------------------------------------------------------------------------------

    /// Returns the bytes that members sign: a message for this chain, this contract, its registry and one round.
    function statement(uint64 round, bytes calldata message) public view returns (bytes memory) {
        return abi.encodePacked(
            "tutti certificate for a contract v1", block.chainid, address(this), registry, round, sha256(message)
        );
    }

    /// Returns whether the members whose bits are set signed, and have enough weight. Bit b & 7 of byte b >> 3 stands
    /// for member b. The signature is uncompressed, in the encoding of EIP-2537.
    function verify(uint64 round, bytes calldata message, bytes calldata bits, bytes calldata signature)
        external
        view
        returns (bool)
    {
        uint256 count = size;
        if (!isSealed || bits.length != (count + 7) / 8) return false;
        if (count % 8 != 0 && uint8(bits[bits.length - 1]) >> (count % 8) != 0) return false;
        if (signature.length != (isMinSig ? 128 : 256)) return false;
        bytes memory members = load(count);
        (uint256 weight, uint256 signers) = weigh(members, bits, count);
        if (weight * denominator < numerator * total || signers == 0) return false;
        bytes memory key = sumOf(members, bits, count, signers * 2 <= count);
        // Keys with valid proofs can add up to the identity, for which an empty signature is valid for every message.
        if (isZero(key)) return false;
        bytes memory point = hashToCurve(statement(round, message), isMinSig
            ? bytes("BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_")
            : bytes("BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"));
        return holds(key, point, signature);
    }

    function stride() private view returns (uint256) {
        return isMinSig ? 200 : 104;
    }

    function load(uint256 count) private view returns (bytes memory members) {
        members = new bytes(count * stride());
        uint256 offset;
        assembly ("memory-safe") {
            offset := add(members, 32)
        }
        for (uint256 i = 0; i < chunks.length; i++) {
            address chunk = chunks[i];
            assembly ("memory-safe") {
                let length := sub(extcodesize(chunk), 1)
                extcodecopy(chunk, offset, 1, length)
                offset := add(offset, length)
            }
        }
    }

    function weigh(bytes memory members, bytes calldata bits, uint256 count)
        private
        view
        returns (uint256 weight, uint256 signers)
    {
        uint256 step = stride();
        assembly ("memory-safe") {
            let offset := add(members, add(32, sub(step, 8)))
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                let byteAt := byte(0, calldataload(add(bits.offset, shr(3, i))))
                if and(shr(and(i, 7), byteAt), 1) {
                    weight := add(weight, shr(192, mload(offset)))
                    signers := add(signers, 1)
                }
                offset := add(offset, step)
            }
        }
    }

    /// Returns the sum of the signers' keys: their keys added, or the absent members' keys subtracted from the sum of all.
    function sumOf(bytes memory members, bytes calldata bits, uint256 count, bool adds)
        private
        view
        returns (bytes memory)
    {
        uint256 step = stride();
        uint256 wanted = adds ? 1 : 0;
        uint256 width = isMinSig ? 256 : 128;
        uint256 precompile = isMinSig ? G2ADD : G1ADD;
        bytes memory work = new bytes(2 * width);
        bool failed;
        assembly ("memory-safe") {
            let acc := add(work, 32)
            let key := add(acc, width)
            let offset := add(members, 32)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                let byteAt := byte(0, calldataload(add(bits.offset, shr(3, i))))
                if eq(and(shr(and(i, 7), byteAt), 1), wanted) {
                    // Each coordinate of 48 bytes goes behind 16 zeros.
                    for { let c := 0 } lt(mul(c, 64), width) { c := add(c, 1) } {
                        mcopy(add(key, add(mul(c, 64), 16)), add(offset, mul(c, 48)), 48)
                    }
                    let ok := staticcall(gas(), precompile, acc, mul(2, width), acc, width)
                    if iszero(and(ok, eq(returndatasize(), width))) { failed := 1 }
                }
                offset := add(offset, step)
            }
            mstore(work, width)
        }
        require(!failed, "addition");
        if (adds) return work;
        negate(work);
        bytes memory all = sumOfAll;
        add(all, work);
        return all;
    }

    // --- Points -----------------------------------------------------------------------------------------------------

    /// Returns whether a signature is valid for a key and a hashed message.
    function holds(bytes memory key, bytes memory point, bytes memory signature) private view returns (bool) {
        bytes memory input = isMinSig
            ? bytes.concat(signature, NEGATED_G2, point, key)
            : bytes.concat(NEGATED_G1, signature, key, point);
        // With less gas the call would fail, as it does for an invalid point.
        require(gasleft() >= GAS_BEFORE_PAIRING, "gas");
        bool done;
        uint256 size_;
        uint256 result;
        assembly ("memory-safe") {
            done := staticcall(PAIRING_GAS, PAIRING, add(input, 32), mload(input), 0, 32)
            size_ := returndatasize()
            result := mload(0)
        }
        if (!done) return false;
        // On a chain without the precompile, the call returns no data.
        require(size_ == 32, "pairing");
        return result == 1;
    }

    /// Sets acc to acc + key. Refuses a point that is not on the curve, and does not check the subgroup.
    function add(bytes memory acc, bytes memory key) private view {
        bytes memory input = bytes.concat(acc, key);
        uint256 precompile = isMinSig ? G2ADD : G1ADD;
        bool done;
        assembly ("memory-safe") {
            done := staticcall(gas(), precompile, add(input, 32), mload(input), add(acc, 32), mload(acc))
            done := and(done, eq(returndatasize(), mload(acc)))
        }
        require(done, "addition");
    }

    function negate(bytes memory key) private pure {
        for (uint256 offset = key.length / 2; offset < key.length; offset += 64) {
            (uint256 high, uint256 low) = coordinate(key, offset);
            if (high == 0 && low == 0) continue;
            unchecked {
                high = P_HIGH - high - (low > P_LOW ? 1 : 0);
                low = P_LOW - low;
            }
            assembly ("memory-safe") {
                mstore(add(add(key, 32), offset), high)
                mstore(add(add(key, 64), offset), low)
            }
        }
    }

    function coordinate(bytes memory key, uint256 offset) private pure returns (uint256 high, uint256 low) {
        assembly ("memory-safe") {
            high := mload(add(add(key, 32), offset))
            low := mload(add(add(key, 64), offset))
        }
    }

    function isZero(bytes memory key) private pure returns (bool) {
        uint256 all;
        for (uint256 offset = 0; offset < key.length; offset += 64) {
            (uint256 high, uint256 low) = coordinate(key, offset);
            all |= high | low;
        }
        return all == 0;
    }

    /// Returns a point's coordinates without their padding, which must consist of zeros.
    function pack(bytes memory key) private pure returns (bytes memory packed) {
        for (uint256 offset = 0; offset < key.length; offset += 64) {
            (uint256 high, uint256 low) = coordinate(key, offset);
            require(high >> 128 == 0, "padding");
            packed = bytes.concat(packed, bytes16(uint128(high)), bytes32(low));
        }
    }

    /// Returns the compressed point, which a proof of possession signs: x, its imaginary part first, and three flags.
    function compress(bytes memory packed) private view returns (bytes memory) {
        bytes memory x = slice(packed, 0, 48);
        bytes memory y = slice(packed, packed.length / 2, 48);
        if (isMinSig) {
            x = bytes.concat(slice(packed, 48, 48), x);
            bytes memory imaginary = slice(packed, 144, 48);
            if (!isZero48(imaginary)) y = imaginary;
        }
        x[0] |= isGreaterHalf(y) ? bytes1(0xa0) : bytes1(0x80);
        return x;
    }

    function isZero48(bytes memory one) private pure returns (bool) {
        return bytes16(one) == 0 && bytes32(slice(one, 16, 32)) == 0;
    }

    function isGreaterHalf(bytes memory y) private pure returns (bool) {
        uint256 high = uint128(bytes16(y));
        uint256 low = uint256(bytes32(slice(y, 16, 32)));
        return high > HALF_HIGH || (high == HALF_HIGH && low > HALF_LOW);
    }

    function slice(bytes memory whole, uint256 from, uint256 length) private pure returns (bytes memory part) {
        part = new bytes(length);
        assembly ("memory-safe") {
            mcopy(add(part, 32), add(add(whole, 32), from), length)
        }
    }

    // --- Hashing to the curve, RFC 9380 -----------------------------------------------------------------------------

    function hashToCurve(bytes memory message, bytes memory domain) private view returns (bytes memory point) {
        bool toG1 = isMinSig;
        uint256 width = toG1 ? 128 : 256;
        bytes memory uniform = expand(message, domain, width);
        for (uint256 offset = 0; offset < width; offset += 64) reduce(uniform, offset);
        uint256 map = toG1 ? MAP_TO_G1 : MAP_TO_G2;
        uint256 addition = toG1 ? G1ADD : G2ADD;
        bytes memory both = new bytes(2 * width);
        point = new bytes(width);
        bool done;
        assembly ("memory-safe") {
            let half := shr(1, width)
            let from := add(uniform, 32)
            let to := add(both, 32)
            done := staticcall(gas(), map, from, half, to, width)
            done := and(done, eq(returndatasize(), width))
            done := and(done, staticcall(gas(), map, add(from, half), half, add(to, width), width))
            done := and(done, staticcall(gas(), addition, to, mul(2, width), add(point, 32), width))
            done := and(done, eq(returndatasize(), width))
        }
        require(done, "map");
    }

    /// expand_message_xmd with SHA-256; `length` is a multiple of 32.
    function expand(bytes memory message, bytes memory domain, uint256 length) private pure returns (bytes memory) {
        bytes memory suffix = bytes.concat(domain, bytes1(uint8(domain.length)));
        bytes32 first = sha256(bytes.concat(bytes32(0), bytes32(0), message, bytes2(uint16(length)), bytes1(0), suffix));
        bytes memory uniform = new bytes(length);
        bytes32 block_ = 0;
        for (uint256 i = 0; i < length / 32; i++) {
            block_ = sha256(bytes.concat(first ^ block_, bytes1(uint8(i + 1)), suffix));
            assembly ("memory-safe") {
                mstore(add(add(uniform, 32), mul(i, 32)), block_)
            }
        }
        return uniform;
    }

    /// 64 bytes modulo p, in place.
    function reduce(bytes memory uniform, uint256 offset) private view {
        bool done;
        assembly ("memory-safe") {
            let input := mload(0x40)
            let from := add(add(uniform, 32), offset)
            mstore(input, 64)
            mstore(add(input, 32), 1)
            mstore(add(input, 64), 64)
            mcopy(add(input, 96), from, 64)
            mstore8(add(input, 160), 1)
            mstore(add(input, 161), P_HIGH)
            mstore(add(input, 193), P_LOW)
            done := staticcall(gas(), MODEXP, input, 225, from, 64)
            done := and(done, eq(returndatasize(), 64))
        }
        require(done, "modulus");
    }

    function deploy(bytes memory code) private returns (address chunk) {
        // PUSH2 length, DUP1, PUSH1 10, RETURNDATASIZE, CODECOPY, RETURNDATASIZE, RETURN: code that returns what follows.
        bytes memory creation = bytes.concat(hex"61", bytes2(uint16(code.length)), hex"80600a3d393df3", code);
        assembly ("memory-safe") {
            chunk := create(0, add(creation, 32), mload(creation))
        }
        require(chunk != address(0), "deployment");
    }
}
