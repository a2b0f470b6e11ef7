import { describe, expect, test } from 'vitest';
import { secretForms } from './secret-forms.ts';

const isFound = (secret: string, text: string): boolean => [...secretForms(secret)].some((form) => text.includes(form));

describe('a secret is looked for', () => {
  test.each<[string, string, string]>([
    ['from four characters on', 'x9Zq', 'it is x9Zq'],
    ['without the space around it', '  x9Zq\n', 'it is x9Zq.'],
    ['with the space around it', ' x9Zq ', 'it is x9Zq .'],
    ['from six on in hex', 'x9Zq1!', Buffer.from('x9Zq1!').toString('hex')],
    ['from six on in base64', 'x9Zq1!', Buffer.from('x9Zq1!').toString('base64')],
    ['from eight on in small letters', 'kT9vQ2mX', 'host kt9vq2mx.example.com'],
    ['with its slashes escaped', 'kT9v/"Q2mX', 'kT9v\\/\\"Q2mX'],
    ['in JSON of ASCII alone', 'kT9vÖQ2mX', 'kT9v\\u00d6Q2mX'],
    ['in JSON that is safe in HTML', "kT9v<&'Q2mX", 'kT9v\\u003c\\u0026\\u0027Q2mX'],
    ['in HTML, quoted by number', "kT9v'Q2mX", 'kT9v&#39;Q2mX'],
    ['in HTML, quoted in hex', "kT9v'Q2mX", 'kT9v&#x27;Q2mX'],
    ['in XML', "kT9v'Q2mX", 'kT9v&apos;Q2mX'],
    ['in a path of a URL', 'kT9v[|]Q2 mX', new URL('http://h/kT9v[|]Q2 mX').pathname.slice(1)],
    ['in a query of a URL', 'kT9v{|}Q2 mX', new URL('http://h/?kT9v{|}Q2 mX').search.slice(1)],
    ['where it is a number', '48213377', 'it is 48213377'],
    ['in named parts of four characters', 'https://api.example.com/x?key=abcd', 'it is abcd'],
    ['where it was escaped, from four characters on', 'key=%61b%63d', 'it is abcd'],
    ['with every sign escaped', "kT9v!'()*mX", 'kT9v%21%27%28%29%2AmX'],
    ['with every sign escaped, space as a plus', "kT9v! '()*mX", 'kT9v%21+%27%28%29%2AmX'],
    ['with halves of pairs in it', 'kT9v\ud800Q2mX', 'kT9v\ufffdQ2mX'],
    ['in its parts', 'abc:kT9vQ2mX', 'only kT9vQ2mX'],
    ['where it was escaped, as it is', 'kT9v%20Q2mX', 'kT9v Q2mX'],
    ['where it was in base64, as it is', Buffer.from('say kT9vQ2mX').toString('base64'), 'say kT9vQ2mX'],
    ['in base64 for URLs', Buffer.from('kT9v??Q2mX>>').toString('base64url'), 'kT9v??Q2mX>>'],
    ['as the password of an address', 'redis://:sesam1@cache:6379/0', 'it is sesam1.'],
    ['as a password with a user', 'amqp://jo:sesam@mq', 'it is sesam.'],
    ['as a token of a query', 'https://api.example.com/x?access_token=sesam&page=1', 'it is sesam.'],
    ['as a password of a query', 'host=db;Passwd=sesam', 'it is sesam.'],
    ['behind the name of a scheme', 'ApiKey sesam', 'it is sesam.'],
  ])('%s', (_what, secret, text) => {
    expect(isFound(secret, text)).toBe(true);
  });

  test.each<[string, string, string]>([
    ['when it has three characters', 'x9Z', 'it is x9Z'],
    ['when little is left without space', '  x9Z  ', 'it is   x9Z  '],
    ['in hex when it has five characters', 'x9Zq1', Buffer.from('x9Zq1').toString('hex')],
    ['in small letters when it has seven', 'kT9vQ2m', 'kt9vq2m'],
    ['in parts of seven characters', 'abc:kT9vQ2m', 'only kT9vQ2m'],
    ['in words that it is made of', 'kT9vQ2mX/services/production', 'production services'],
    ['when a named part has three characters', 'https://api.example.com/x?key=abc', 'it is abc'],
    ['when it says where something is', 'https://gitlab.example.com/api/v4', 'https://gitlab.example.com/api/v4'],
    ['escaped when a named part has three characters', 'https://api.example.com/x?key=a%22c', 'it is a\\"c'],
    ['by what is left of a path that goes up', 'kT9vQ2mX/../ab', 'tab'],
    ['decoded when it is too short for base64', Buffer.from('abcdef').toString('base64'), 'abcdef'],
    ['decoded when it comes to no text', 'kT9vQ2mXw7Lp4RzB', Buffer.from('kT9vQ2mXw7Lp4RzB', 'base64').toString()],
    ['behind a word in the middle', 'my Bearer sesam', 'it is sesam.'],
  ])('not %s', (_what, secret, text) => {
    expect(isFound(secret, text)).toBe(false);
  });
});

describe('of a secret that is JSON', () => {
  test.each<[string, object, string, boolean]>([
    ['every text that looks like one is looked for', { note: 'kT9vQ2mX' }, 'kT9vQ2mX', true],
    ['every text with the name of one', { password: 'lettuce' }, 'lettuce', true],
    ['every text of a list with the name of one', { keys: [{ n: 1 }, 'lettuce'] }, 'lettuce', true],
    ['however deep', { a: [{ apiKey: 'lettuce' }] }, 'lettuce', true],
    ['no ordinary text', { type: 'application/json' }, 'application/json', false],
    ['nor the whole of it', { type: 'application/json' }, '{"type":"application/json"}', false],
    ['text of which one word is not ordinary', { type: 'application/kT9vQ2mX' }, 'application/kT9vQ2mX', true],
    ['a list at the top', ['kT9vQ2mX'], 'kT9vQ2mX', true],
    ['nothing that is no text', { token: null, pin: 123_456 }, '123456', false],
  ])('%s', (_what, secret, text, expected) => {
    expect(isFound(JSON.stringify(secret), text)).toBe(expected);
  });

  test('what only begins like JSON is looked for as it is', () => {
    expect(isFound('{kT9vQ2mX', 'it is {kT9vQ2mX')).toBe(true);
  });
});

test('in base64 the whole of it is looked for, and the same for URLs', () => {
  const forms = secretForms('x9?>1!');
  expect(forms).toContain(Buffer.from('x9?>1!').toString('base64'));
  expect(forms).toContain(Buffer.from('x9?>1!').toString('base64url'));
});

describe('a long secret', () => {
  const long = Array.from({ length: 600 }, (_, at) => String.fromCharCode(33 + ((at * at + at * 7) % 90))).join('');

  test('is looked for in pieces, to its end', () => {
    for (const at of [0, 64, 512, 536]) expect(secretForms(long)).toContain(long.slice(at, at + 64));
    expect(secretForms(long)).not.toContain(long);
  });

  test('is looked for whole as long as it is not longer', () => {
    expect(secretForms(long.slice(0, 512))).toContain(long.slice(0, 512));
    expect(secretForms(long.slice(0, 513))).not.toContain(long.slice(0, 513));
  });

  test('is not looked for in pieces that say nothing', () => {
    const padded = (text: string): Set<string> =>
      secretForms(`${long.slice(0, 512)}${' '.repeat(64)}${' '.repeat(64 - text.length)}${text}`);
    const hex = (text: string): string => Buffer.from(text.padStart(64)).toString('hex');
    expect(padded('kT9vQ2mX')).not.toContain(hex(''));
    expect(padded('kT9vQ2mX')).toContain(hex('kT9vQ2mX'));
    expect(padded('kT9vQ2m')).not.toContain(hex('kT9vQ2m'));
  });
});
