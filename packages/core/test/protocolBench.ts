import type { CountingScheme } from '../src/contribution/countingScheme.ts';
import type { ProtocolNode } from '../src/protocol.ts';
import { RecordingPort } from './recordingPort.ts';

/** Test bench with one node of any protocol behind a {@link RecordingPort}. The test decides when verifications end. */
export class ProtocolBench<Node extends ProtocolNode> {
  readonly scheme: CountingScheme;
  readonly port: RecordingPort;
  readonly node: Node;

  constructor(scheme: CountingScheme, make: (port: RecordingPort) => Node) {
    this.scheme = scheme;
    this.port = new RecordingPort(scheme);
    this.node = make(this.port);
  }

  /** Ends the verification in progress with the scheme's verdict. @returns the signers of the contribution. */
  verifyOne(): readonly number[] {
    const check = this.port.checks.shift();
    if (check === undefined) throw new Error('nothing is being verified');
    this.node.onVerified(check.ticket, this.scheme.verify(check.contribution));
    return check.signers;
  }

  /** Releases the messages sent since the last call. @returns their receivers. */
  takeReceivers(): number[] {
    return this.port.takeSent().map(({ to, aggregate, individual }) => {
      this.scheme.release(aggregate);
      this.scheme.release(individual);
      return to;
    });
  }

  /** Ends verifications until none is in progress. @returns the signers of each contribution. */
  verifyAll(): (readonly number[])[] {
    const verified = [];
    while (this.port.checks.length > 0) verified.push(this.verifyOne());
    return verified;
  }
}
