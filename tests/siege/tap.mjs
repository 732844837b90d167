/** First module of besieged processes: stops the clock, and copies datagrams to the port TUTTI_SIEGE_TAP. */
import { createSocket, Socket } from 'node:dgram';

Date.now = () => 1_760_000_000_000;

const listener = Number(process.env.TUTTI_SIEGE_TAP);
const { send } = Socket.prototype;
const tap = createSocket('udp4').unref();
// An unbound socket calls its own `send` method again.
tap.send = send;

Socket.prototype.send = function (bytes, port, ...rest) {
  const copy = Buffer.allocUnsafe(2 + bytes.length);
  copy.writeUInt16BE(port);
  copy.set(bytes, 2);
  tap.send(copy, listener, '127.0.0.1', () => {});
  return send.call(this, bytes, port, ...rest);
};
