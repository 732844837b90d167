/**
 * Returns a UDP datagram in an IPv4 packet without options, in the form in which a TUN device delivers it. The packet's
 * checksums do not match its content.
 */
export function udpPacket(from: string, to: string, payload: Uint8Array): Uint8Array {
  const packet = new Uint8Array(28 + payload.length);
  const view = new DataView(packet.buffer);
  packet[0] = 0x45;
  view.setUint16(2, packet.length);
  packet[8] = 64;
  packet[9] = 17;
  packet.set(from.split('.').map(Number), 12);
  packet.set(to.split('.').map(Number), 16);
  view.setUint16(20, 7000);
  view.setUint16(22, 7000);
  view.setUint16(24, 8 + payload.length);
  view.setUint16(26, 0xabcd);
  packet.set(payload, 28);
  return packet;
}
