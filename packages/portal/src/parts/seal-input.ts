import { t } from '../kit/translate.ts';
/**
 * Encrypts a value for the holder of a private key, so that neither the server nor its operator can read it: base64 of
 * IV (12 bytes), wrapped AES key (RSA-OAEP, SHA-256) and AES-256-GCM ciphertext with its tag.
 * @throws Error if the page is not a secure context or the key is invalid
 */
export async function sealInput(text: string, pem: string): Promise<string> {
  if (!globalThis.crypto?.subtle) {
    throw new Error(t('can be encrypted over https alone; open the portal by its https address'));
  }
  const der = Uint8Array.from(atob(pem.replace(/-----[^-]+-----/g, '').replace(/\s+/g, '')), (sign) =>
    sign.charCodeAt(0),
  );
  const receiver = await crypto.subtle.importKey('spki', der, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, [
    'encrypt',
  ]);
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const wrapped = await crypto.subtle.encrypt(
    { name: 'RSA-OAEP' },
    receiver,
    await crypto.subtle.exportKey('raw', key),
  );
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
  const bytes = [iv, new Uint8Array(wrapped), new Uint8Array(sealed)].flatMap((part) => [...part]);
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
}
