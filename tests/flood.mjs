/**
 * A worker thread that sends datagrams to one address at the highest rate of the system until it is told to stop. The
 * thread then reports the number of sent datagrams.
 */
import { createSocket } from 'node:dgram';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, datagrams } = workerData;
const socket = createSocket('udp4');
let sent = 0;
let stopped = false;

parentPort.once('message', () => {
  stopped = true;
});

function burst() {
  if (stopped) {
    socket.close();
    parentPort.postMessage(sent);
    return;
  }
  for (const bytes of datagrams) socket.send(bytes, port, host, () => {});
  sent += datagrams.length;
  setImmediate(burst);
}
burst();
