import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';

/** The certificates of a file in PEM, one by one; what stands between them is comment. */
export function splitCertificates(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Those that Node.js trusts, also by `NODE_EXTRA_CA_CERTS` where it tells, and these. */
export function trusting(extra: readonly string[]): { readonly ca?: string[] } {
  if (extra.length === 0) return {};
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return { ca: [...(getCACertificates?.('default') ?? tls.rootCertificates), ...extra] };
}

/** What Node.js says of a server whose authority it does not know. */
const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

export function isUnknownAuthority(code: string | undefined): boolean {
  return code !== undefined && unknownAuthority.has(code);
}
