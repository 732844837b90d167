import { describe, expect, it } from 'vitest';
import { admissionAnswer, admissionRefusal, requestTarget } from './admission.ts';

const rules = {
  origins: ['https://page.example', 'app://page'],
  names: ['Rooms.example'],
  types: ['application/octet-stream'],
};
const host = '192.0.2.1:8081';

const asked = (headers: Record<string, string | undefined>, url = '/', method = 'GET') => ({
  method,
  url,
  headers,
  rawHeaders: Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value])),
});
const refusal = (headers: Record<string, string>, url?: string) => admissionRefusal(asked(headers, url), rules);

describe('the server answers a request', () => {
  it.each([
    ['of a program that says no origin', { host }],
    ["of the server's own page", { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }],
    ['of its own page by IPv6', { host: '[::1]:8081', origin: 'http://[::1]:8081' }],
    ['of its own page on this machine', { host: 'localhost:8081', origin: 'http://localhost:8081' }],
    ['of its own page by its own name, behind TLS', { host: 'rooms.EXAMPLE', origin: 'https://rooms.example' }],
    ['of a page that was named', { host, origin: 'https://page.example', 'sec-fetch-site': 'cross-site' }],
    ['of a named page with its own scheme', { host, origin: 'app://page', 'sec-fetch-site': 'cross-site' }],
    ['that a person typed', { host, 'sec-fetch-site': 'none' }],
    ['of its own page without an origin', { host, 'sec-fetch-site': 'same-origin' }],
  ])('%s', (_, headers) => expect(refusal(headers)).toBeUndefined());

  it.each(['/', '/a/b?c=%C3%A9', '/%20', 'http://192.0.2.1/metrics', 'http://rooms.example/', '/?'])(
    'with the target %s',
    (url) => expect(refusal({ host }, url)).toBeUndefined(),
  );

  it.each<[Record<string, string>]>([
    [{ 'content-length': '5', 'content-type': 'application/octet-stream' }],
    [{ 'content-length': '5', 'content-type': 'Application/Octet-Stream; x=y', 'content-encoding': 'identity' }],
    [{ 'transfer-encoding': 'chunked' }],
    [{ 'content-length': '0', 'content-type': 'text/plain' }],
    [{ 'content-type': 'text/plain' }],
  ])('with the body of %j', (headers) => expect(refusal({ host, ...headers })).toBeUndefined());
});

describe('the server refuses a request', () => {
  type Row = [code: string, headers: Record<string, string>];

  it.each<Row>([
    ...[
      ...['http://192.0.2.1:8080', 'http://page.example', 'https://page.example.evil.example', 'null', 'file://'],
      ...['app://other', 'other://page', `app://${host}`],
    ].map((origin): Row => ['foreign-origin', { host, origin }]),
    ['foreign-origin', { host, origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }],
    ...['cross-site', 'same-site', 'same-origin, cross-site'].map(
      (site): Row => ['foreign-origin', { host, 'sec-fetch-site': site }],
    ),
    [
      'foreign-origin',
      { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    ],
    ['unknown-host', { host: 'rebound.example:8081', origin: 'http://rebound.example:8081' }],
    ['unknown-host', {}],
    ...[
      ...['rebound.example:8081', '192.0.2.1.nip.example', '127.example.org', 'localhost.example'],
      ...['rebound.example@192.0.2.1', '192.0.2.1/rebound.example', 'a b', ''],
    ].map((host): Row => ['unknown-host', { host }]),
    ['unsupported-body', { host, 'content-length': '5', 'content-type': 'text/plain' }],
    ['unsupported-body', { host, 'transfer-encoding': 'chunked', 'content-type': 'multipart/form-data; boundary=a' }],
    ['unsupported-body', { host, 'content-length': '5', 'content-type': '' }],
    ['unsupported-body', { host, 'content-length': '5', 'content-encoding': 'gzip' }],
    ['unsupported-body', { host, 'transfer-encoding': 'gzip, chunked' }],
  ])('as %s: %j', (code, headers) => expect(refusal(headers)).toBe(code));

  it.each([
    ...['', '*', '//', '//evil.example/', '/\\evil.example', '/%', '/%zz', '/%ff', '/%00', '/?a=%', 'http://[/', 'x:1'],
  ])('with the malformed target %j', (url) => {
    expect([refusal({ host }, url), requestTarget(url)]).toEqual(['malformed-request', undefined]);
  });

  it('whose host is only in its target, or that has two hosts', () => {
    expect(refusal({ host }, 'http://rebound.example/')).toBe('unknown-host');
    const twice = { ...asked({ host }), rawHeaders: ['Host', host, 'HOST', 'rebound.example'] };
    expect(admissionRefusal(twice, rules)).toBe('malformed-request');
  });
});

it('with the origin *, a page of any origin may send requests, but only to a host name of the server', () => {
  const open = { ...rules, origins: ['*'] };
  expect(admissionRefusal(asked({ host, origin: 'null' }), open)).toBeUndefined();
  expect(admissionRefusal(asked({ host: 'rebound.example', origin: 'null' }), open)).toBe('unknown-host');
});

it('with links, a link on another page opens a page of the server, and no other request is accepted', () => {
  const served = { ...rules, links: true };
  const link = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect(admissionRefusal(asked(link), served)).toBeUndefined();
  for (const other of [
    asked({ ...link, 'sec-fetch-dest': 'iframe' }),
    asked({ ...link, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' }),
    asked({ host, 'sec-fetch-site': 'cross-site' }),
    asked(link, '/', 'POST'),
  ])
    expect(admissionRefusal(other, served)).toBe('foreign-origin');
});

it('with frames, a frame of another page opens a page of the server', () => {
  const framed = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
  expect(admissionRefusal(asked(framed), { ...rules, frames: true })).toBeUndefined();
  expect(admissionRefusal(asked(framed, '/', 'POST'), { ...rules, frames: true })).toBe('foreign-origin');
});

it('a refusal names the expected value and the accepted content types', () => {
  expect(admissionAnswer('unknown-host', rules).status).toBe(421);
  const types = ['a/b', 'c/d'];
  expect(admissionAnswer('unsupported-body', { ...rules, types })).toEqual({
    status: 415,
    error: 'body: expected Content-Type a/b or c/d and no Content-Encoding, got other headers',
  });
  expect(admissionAnswer('unsupported-body', { ...rules, types: [] }).error).toBe(
    'body: expected no body, or a body without Content-Type and Content-Encoding, got other headers',
  );
});

it('a server without content types refuses every body that has one', () => {
  const none = { origins: [], names: [] };
  const body = { host, 'content-length': '5', 'content-type': 'application/octet-stream' };
  expect(admissionRefusal(asked(body), none)).toBe('unsupported-body');
});
