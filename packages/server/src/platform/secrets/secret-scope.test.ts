import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { JsonText } from '../db/json.ts';
import { createSecretScope, mask } from './secret-scope.ts';

function buildScope(...values: string[]) {
  const scope = createSecretScope();
  for (const value of values) scope.add(value);
  return scope;
}

/** The encodings as they are known, not as the product makes them. */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'as a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'in a query of a URL': (text) => new URL(`http://h/?a=${encodeURIComponent(text)}`).search.slice(3),
  'in JSON': (text) => JSON.stringify({ a: text }),
  'in JSON in JSON': (text) => JSON.stringify(JSON.stringify([text])),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'in hex, upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in HTML': (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64url': (text) => Buffer.from(text).toString('base64url'),
  'in base64, one before': (text) => Buffer.from(`x${text}yz`).toString('base64'),
  'in base64, two before': (text) => Buffer.from(`xy${text}`).toString('base64'),
  'in base64url, two before': (text) => Buffer.from(`{"${text}"}`).toString('base64url'),
  'as Basic auth': (text) => `Basic ${Buffer.from(`user-of-it:${text}`).toString('base64')}`,
};

const secrets = {
  plain: 'kT9vQ2mXw7Lp4RzB',
  'with signs': 'p@ss w/ö&<"r\'d">?+=%41~!*()\\end',
  'of several lines': 'line-1 Zk4Qw9\nline-2 Pm8Xv3\tq',
  short: 'hunter2x',
};

describe('a secret is masked', () => {
  test.each(
    Object.entries(secrets).flatMap(([kind, secret]) => Object.keys(encodings).map((name) => [kind, name, secret])),
  )('%s, %s', (_kind, name, secret) => {
    const written = (encodings[name as string] as (text: string) => string)(secret as string);
    const shown = buildScope(secret as string).maskText(`before ${written} after`);
    expect(shown).toMatch(/^before .*\*{6}.* after$/s);
    // of what was written nothing is left but what belongs to the surroundings
    expect(shown.length).toBeLessThan('before  after'.length + mask.length + 40);
    expect(shown).not.toContain(written);
  });

  test('drawn at random, in every encoding, at every place of a text', () => {
    for (let round = 0; round < 300; round++) {
      const secret = randomBytes(9 + (round % 40)).toString(round % 3 === 0 ? 'hex' : 'base64');
      const around = randomBytes(round % 7).toString('hex');
      const scope = buildScope(secret);
      for (const [name, encode] of Object.entries(encodings)) {
        const shown = scope.maskText(encode(around + secret + around));
        expect(
          readings(shown).some((text) => text.includes(secret)),
          `${name}: ${secret}`,
        ).toBe(false);
      }
    }
  });

  test('in its parts, where a part is a secret by itself', () => {
    const scope = buildScope('hooks.slack.com/services/T0A1B2C3D/B9Z8Y7X6W/q7Lm2Xc9Vb4Nz1Kd');
    expect(scope.maskText('POST /services/T0A1B2C3D/B9Z8Y7X6W/ and q7Lm2Xc9Vb4Nz1Kd')).toBe(
      'POST /services/******/******/ and ******',
    );
  });

  test('where passwords stand, whatever they look like', () => {
    const scope = buildScope(
      'postgres://app:trustnoone@db.example.com/catalog',
      'https://api.example.com/x?token=sesame&page=1',
      `Basic ${Buffer.from('user:lettuce').toString('base64')}`,
      'Bearer abracadabra',
    );
    for (const word of ['trustnoone', 'sesame', 'lettuce', 'abracadabra']) {
      expect(scope.maskText(`it is ${word}.`)).toBe('it is ******.');
    }
  });

  test('in the values of a secret that is JSON', () => {
    const key =
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END PRIVATE KEY-----\n';
    const scope = buildScope(JSON.stringify({ type: 'service_account', private_key: key }));
    expect(scope.maskText(JSON.stringify({ private_key: key }))).toBe('{"private_key":"******"}');
    expect(scope.maskText('line MIIEvQIBADANBgkqhkiG9w0.')).toBe('line ******.');
  });

  test('where a text was cut inside it, from eight characters on', () => {
    const scope = buildScope('kT9vQ2mXw7Lp4RzB');
    for (const rest of ['kT9vQ2mXw', 'kT9vQ2mX']) expect(scope.maskText(`it was ${rest}`)).toBe('it was ******');
    expect(scope.maskText('it was kT9vQ2m')).toBe('it was kT9vQ2m');
  });

  test('as soon as it was added', () => {
    const scope = buildScope('kT9vQ2mXw7Lp4RzB');
    expect(scope.maskText('Zk4Qw9Pm8Xv3')).toBe('Zk4Qw9Pm8Xv3');
    scope.add('Zk4Qw9Pm8Xv3');
    expect(scope.maskText('kT9vQ2mXw7Lp4RzB, Zk4Qw9Pm8Xv3')).toBe('******, ******');
  });

  test('in pieces, where it is long', () => {
    const long = randomBytes(3_000).toString('base64');
    const scope = buildScope(long);
    expect(scope.maskText(`a ${long} b`)).toBe('a ****** b');
    const cut = scope.maskText(long.slice(500, 2_000));
    expect(cut.length).toBeLessThan(64 * 2 + mask.length);
  });

  test('in keys and values of JSON, however deep', () => {
    const scope = buildScope('kT9vQ2mXw7Lp4RzB');
    const given = { list: [{ kT9vQ2mXw7Lp4RzB: 'x', y: ['kT9vQ2mXw7Lp4RzB'] }], n: 1, none: null };
    expect(scope.mask(given)).toEqual({ list: [{ '******': 'x', y: ['******'] }], n: 1, none: null });
  });

  test('in what is JSON already', () => {
    const masked = buildScope('kT9vQ2mXw7Lp4RzB').mask(new JsonText('{"a":["kT9vQ2mXw7Lp4RzB",1]}'));
    expect(masked).toEqual(new JsonText('{"a":["******",1]}'));
  });

  test.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ inner })],
  ])('by withholding what lies too deep in %s', (_what, around) => {
    const nested = (levels: number, innermost: unknown): unknown =>
      Array.from({ length: levels }).reduce((inner) => around(inner), innermost);
    const scope = buildScope('kT9vQ2mXw7Lp4RzB');
    expect(scope.mask(nested(500, { a: 1 }))).toEqual(nested(500, { a: 1 }));
    expect(scope.mask(nested(501, { a: 1 }))).toEqual(nested(501, mask));
  });

  test('by withholding everything, where there are too many characters to look for', () => {
    const scope = createSecretScope();
    for (let count = 0; count < 9; count++) scope.add(randomBytes(48 * 1024).toString('base64'));
    expect(scope.maskText('anything')).toBe(mask);
    expect(scope.maskText('')).toBe('');
  });

  test('each of them counts once', () => {
    const scope = createSecretScope();
    for (let count = 0; count < 2; count++) scope.add('x'.repeat(512 * 1024));
    expect(scope.maskText('anything')).toBe('anything');
    scope.add('y');
    expect(scope.maskText('anything')).toBe(mask);
  });
});

describe('what is no secret stays readable', () => {
  const text =
    'https://hooks.slack.com/services is down; production in eu-west-1, service web01, node_modules/undici/index.js, createdAt 2026-11-23T04:00:00.000Z';

  test.each([
    'hooks.slack.com/services/T0A1B2C3D/B9Z8Y7X6W/q7Lm2Xc9Vb4Nz1Kd',
    'postgres://app:pX4kQ9zW@production.example.com/services',
    'https://gitlab.example.com/api/v4',
    'abc',
  ])('after %s was opened', (secret) => {
    expect(buildScope(secret).maskText(text)).toBe(text);
  });

  test('an address of a host and nothing else is none', () => {
    const scope = buildScope('https://gitlab.example.com', 'http://ci.example.com:8080/api/v4/');
    expect(scope.maskText('https://gitlab.example.com/group/project/-/pipelines/17')).toContain('gitlab.example.com');
  });

  test('a date', () => {
    const at = new Date('2026-11-23T04:00:00.000Z');
    expect(buildScope('kT9vQ2mXw7Lp4RzB').mask({ at })).toEqual({ at });
  });

  test('a scope without secrets hands back what it was given', () => {
    const given = { a: 'b' };
    expect(createSecretScope().mask(given)).toBe(given);
  });
});

/** The text, and what it says once it is decoded in every way. */
function readings(text: string): string[] {
  const read = [text];
  const attempt = (decode: () => string): void => {
    try {
      read.push(decode());
    } catch {
      // it is not written so
    }
  };
  attempt(() => decodeURIComponent(text.replaceAll('+', ' ')));
  attempt(() => JSON.stringify(JSON.parse(text)));
  attempt(() => JSON.parse(JSON.parse(text))[0]);
  for (const run of text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []) {
    for (let from = 0; from < 4; from++) {
      attempt(() => Buffer.from(run.slice(from), 'base64').toString('latin1'));
      attempt(() => Buffer.from(run.slice(from), 'hex').toString('latin1'));
    }
  }
  return read;
}
