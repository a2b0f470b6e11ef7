import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address belongs to the public internet. Private, loopback, link-local (with the metadata addresses of
 * clouds), shared, reserved and multicast ranges do not; neither do IPv6 forms that carry an IPv4 address, which a
 * gateway could unpack (RFC 6052, RFC 3056, RFC 4380).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  return parsed.range() === 'unicast';
}
