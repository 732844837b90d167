import { expect, it, vi } from 'vitest';
import { StoredCertificates } from './storedCertificates.ts';

it('a certificate is due to each member once per second, for any number of members', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const certificates = new StoredCertificates(1, []);
  const certified = { name: '00', bytes: new Uint8Array(), certificate: new Uint8Array(), signers: 1 };
  certificates.keep(certified);
  const due = () => [1, 2, 1, 2].map((member) => certificates.due('00', member));
  expect(due()).toEqual([certified, certified, undefined, undefined]);
  certificates.keep(certified);
  expect(certificates.due('00', 1)).toBeUndefined();
  vi.advanceTimersByTime(1000);
  expect(due()).toEqual([certified, certified, undefined, undefined]);
  vi.useRealTimers();
});
