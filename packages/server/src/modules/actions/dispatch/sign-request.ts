import { createHmac } from 'node:crypto';

/**
 * Headers that prove sender and time of a body to a receiver (api contract §3.5.6): `v1,` and the base64 of
 * HMAC-SHA-256 over `<seconds>.<body>` under the organization's client secret.
 */
export function signatureHeaders(body: string, clientSecret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = createHmac('sha256', clientSecret).update(`${timestamp}.${body}`).digest('base64');
  return { 'x-port-timestamp': timestamp, 'x-port-signature': `v1,${signature}` };
}

/**
 * A message for an agent, with headers that prove sender and time. Agents check the signature over the message as it was
 * sent but for these two headers, that is with `headers: {}` as its last field.
 */
export function signMessage(message: object, clientSecret: string, now: Date): string {
  const signed = signatureHeaders(JSON.stringify({ ...message, headers: {} }), clientSecret, now);
  const headers = { 'X-Port-Timestamp': signed['x-port-timestamp'], 'X-Port-Signature': signed['x-port-signature'] };
  return JSON.stringify({ ...message, headers });
}
