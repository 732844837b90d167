import type { CountingScheme } from '../src/contribution/countingScheme.ts';
import type { ProtocolNode } from '../src/protocol.ts';
import { RecordingPort } from './recordingPort.ts';

/** One node of any protocol behind a {@link RecordingPort}, whose verifications end when the test says. */
export class ProtocolBench<Node extends ProtocolNode> {
  readonly scheme: CountingScheme;
  readonly port: RecordingPort;
  readonly node: Node;

  constructor(scheme: CountingScheme, make: (port: RecordingPort) => Node) {
    this.scheme = scheme;
    this.port = new RecordingPort(scheme);
    this.node = make(this.port);
  }

  /** Ends the verification in flight as the scheme says. @returns who was in it. */
  verifyOne(): readonly number[] {
    const check = this.port.checks.shift();
    if (check === undefined) throw new Error('nothing is being verified');
    this.node.onVerified(check.ticket, this.scheme.verify(check.contribution));
    return check.signers;
  }

  /** Ends verifications until there is none in flight. @returns who was in each. */
  verifyAll(): (readonly number[])[] {
    const verified = [];
    while (this.port.checks.length > 0) verified.push(this.verifyOne());
    return verified;
  }
}
