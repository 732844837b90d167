/**
 * Loaded into each process of a besieged cluster before anything else: the wall clock stands still, and a copy of each
 * datagram that is sent goes to the attacker's port, TUTTI_SIEGE_TAP, behind the port that it was sent to. So the
 * attacker overhears what one on the path would.
 */
import { createSocket, Socket } from 'node:dgram';

Date.now = () => 1_760_000_000_000;

const listener = Number(process.env.TUTTI_SIEGE_TAP);
const { send } = Socket.prototype;
const tap = createSocket('udp4').unref();
// An unbound socket comes back to its own method.
tap.send = send;

Socket.prototype.send = function (bytes, port, ...rest) {
  const copy = Buffer.allocUnsafe(2 + bytes.length);
  copy.writeUInt16BE(port);
  copy.set(bytes, 2);
  tap.send(copy, listener, '127.0.0.1', () => {});
  return send.call(this, bytes, port, ...rest);
};
