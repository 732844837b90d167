import { type RequestOptions, request } from 'node:http';

/** Sends a request to a member's HTTP API, and returns the answer. */
export function requested({
  body,
  ...options
}: RequestOptions & { readonly body?: string | Uint8Array }): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(parts) }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
