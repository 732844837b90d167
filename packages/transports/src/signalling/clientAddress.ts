import ipaddr from 'ipaddr.js';

/**
 * Returns the address of a connection for limits per address. A household or a machine has an IPv6 network with a
 * 64-bit prefix, which counts as one address.
 *
 * @param behindProxy whether to use the last address of X-Forwarded-For, which the proxy in front of this server wrote.
 */
export function clientAddress(
  {
    headers,
    socket,
  }: {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
  behindProxy: boolean,
): string {
  const forwarded = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim();
  const text = (behindProxy ? forwarded : undefined) ?? socket.remoteAddress ?? '';
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
