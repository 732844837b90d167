/** Reason why a router drops data that is not a valid packet of its network. */
type PacketRefusal = 'not-ipv4' | 'wrong-length';

type ReadPacket =
  | { readonly ok: true; readonly destination: number }
  | { readonly ok: false; readonly code: PacketRefusal };

const minHeaderBytes = 20;
const udpHeaderBytes = 8;
const udpProtocol = 17;

/** Maximum number of bits that are flipped in one packet. */
const maxFlips = 8;

/** Returns the address a.b.c.d as an integer, with a as the highest byte. */
export function addressOf(text: string): number {
  return text.split('.').reduce((address, byte) => address * 256 + Number(byte), 0);
}

/** Reads the fields of an IPv4 packet that a router needs (RFC 791): version, length and destination. */
export function readPacket(packet: Uint8Array): ReadPacket {
  if (packet.length < minHeaderBytes || packet[0]! >> 4 !== 4 || headerBytes(packet) < minHeaderBytes)
    return { ok: false, code: 'not-ipv4' };
  if (headerBytes(packet) > packet.length || uint16(packet, 2) !== packet.length)
    return { ok: false, code: 'wrong-length' };
  return { ok: true, destination: uint16(packet, 16) * 0x1_0000 + uint16(packet, 18) };
}

/**
 * Returns a copy of a valid packet, with one to eight random bit flips in the UDP payload; a bit may be flipped more
 * than once. The copy's checksum is 0, which means that there is no checksum (RFC 768), so that the kernel accepts the
 * packet. A packet without a UDP payload is not altered.
 */
export function corrupted(packet: Uint8Array, random: { nextBelow(bound: number): number }): Uint8Array {
  const udp = headerBytes(packet);
  const payload = udp + udpHeaderBytes;
  const copy = packet.slice();
  if (packet[9] !== udpProtocol || payload >= packet.length) return copy;
  copy.fill(0, udp + 6, udp + 8);
  for (let left = 1 + random.nextBelow(maxFlips); left > 0; left--) {
    const bit = random.nextBelow((packet.length - payload) * 8);
    copy[payload + (bit >>> 3)]! ^= 1 << (bit & 7);
  }
  return copy;
}

function headerBytes(packet: Uint8Array): number {
  return (packet[0]! & 15) * 4;
}

function uint16(bytes: Uint8Array, offset: number): number {
  return bytes[offset]! * 256 + bytes[offset + 1]!;
}
