import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local (with the metadata addresses of
 * clouds), shared, reserved and multicast ranges do not; neither do IPv6 forms that carry an IPv4 address, which a
 * gateway could unpack (RFC 6052, RFC 3056, RFC 4380).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (parsed.range() !== 'unicast') return false;
  // of IPv6, only 2000::/3 is given out; the rest holds old forms of IPv4 addresses, such as ::7f00:1
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Whether a host, by its name and an address of it, may be reached: on the public internet, or one of `privateHosts`. */
export function allowedAddress(privateHosts: readonly string[]): (name: string, address: string) => boolean {
  const ranges = privateHosts.map(rangeOf).filter((range) => range !== undefined);
  const names = new Set(privateHosts.filter((each) => !rangeOf(each)).map((each) => each.toLowerCase()));
  return (name, address) =>
    isPublicAddress(address) || names.has(name.toLowerCase().replace(/\.$/, '')) || isWithin(address, ranges);
}

/** An address or a range in CIDR form; undefined for a name. */
function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  // short forms such as "10" are names here
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function isWithin(address: string, ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  return ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits));
}
