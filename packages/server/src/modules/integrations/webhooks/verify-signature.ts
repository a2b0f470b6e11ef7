import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecurityRules } from './webhook.ts';

export interface SignedRequest {
  readonly bytes: Buffer;
  /** Keys are lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The reason to refuse a request; undefined if it is accepted. Rules without any part of a signature require none;
 * incomplete rules refuse every request, since the signature cannot be verified.
 */
export function whyUnsigned(
  { signatureHeaderName, signatureAlgorithm, signaturePrefix }: SecurityRules,
  secret: string | undefined,
  { bytes, headers }: SignedRequest,
): string | undefined {
  if (!signatureHeaderName && !signatureAlgorithm && secret === undefined) return undefined;
  const lacks = missingParts({ signatureHeaderName, signatureAlgorithm }, secret);
  if (lacks.length > 0) return `The security of the webhook lacks ${lacks.join(' and ')}: nothing is let in`;
  const header = headers[(signatureHeaderName as string).toLowerCase()];
  if (header === undefined) return `The header ${signatureHeaderName} is missing`;
  const prefix = signaturePrefix ?? '';
  const given = signatureAlgorithm === 'plain' ? header : withoutPrefix(header, prefix)?.toLowerCase();
  if (given === undefined) return `The header ${signatureHeaderName} does not begin with the prefix of signatures`;
  const expected =
    signatureAlgorithm === 'plain'
      ? prefix + secret
      : createHmac(signatureAlgorithm as 'sha1' | 'sha256', secret as string)
          .update(bytes)
          .digest('hex');
  return isSame(given, expected) ? undefined : 'The signature does not match';
}

/** The parts that verifying a signature needs and the rules lack. */
export function missingParts(
  { signatureHeaderName, signatureAlgorithm }: Pick<SecurityRules, 'signatureHeaderName' | 'signatureAlgorithm'>,
  secret: string | undefined,
): string[] {
  return [
    ...(secret ? [] : ['"secret"']),
    ...(signatureHeaderName ? [] : ['"signatureHeaderName"']),
    ...(signatureAlgorithm ? [] : ['"signatureAlgorithm"']),
  ];
}

function withoutPrefix(header: string, prefix: string): string | undefined {
  return header.startsWith(prefix) ? header.slice(prefix.length) : undefined;
}

/** Compares in constant time, whatever the position of a difference and the lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHmac('sha256', 'compare').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
