import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../../platform/tools/call-decision.ts';
import { type AskedCall, isAskedFor, isLiteral } from './asked-for.ts';

const call: AskedCall = { names: ['restart_service', 'Restart'], inputs: [], isDestructive: false, isStrict: false };

function asked(text: string, more: Partial<AskedCall> = {}, namedAlone: readonly string[] = []): boolean {
  return isAskedFor({ ...call, ...more }, { text, namedAlone: new Set(namedAlone) });
}

describe('an order', () => {
  test.each([
    'Restart T-1',
    'Restart cart',
    'restart the cart service, please',
    'Please restart cart.',
    'Could you restart cart?',
    'Look at the logs of cart and then restart it',
    'Which services are slow? Run the action restart service on cart.',
    'RESTART-SERVICE cart',
    'If it is down, restart cart',
  ])('%s', (text) => {
    expect(asked(text)).toBe(true);
  });

  test.each([
    'Restart doesn\u2019t help, does it',
    'What does restart do?',
    'Restart?',
    'Do not restart cart',
    "Don't restart cart",
    'Restart nothing without asking me',
    'When did somebody restart cart',
    'List restart failures',
    'Tell me about cart',
    'Restarting cart is slow',
    '',
  ])('is not: %s', (text) => {
    expect(asked(text)).toBe(false);
  });
});

describe('an input', () => {
  const input = (value: unknown, form: CallInput['form'] = 'text', blueprint?: string) => ({
    inputs: [{ key: 'reason', value, form, blueprint }],
  });

  test.each([
    ['stands in the question', 'Restart cart because of memory leaks', input('memory leaks'), true],
    ['stands there in other letters', 'Restart cart because of memory leaks', input('Memory leaks'), false],
    ['is a part of a word of it', 'Restart cart because of memory leaks', input('leak'), false],
    ['is the default of the form', 'Restart cart', input('routine', 'default'), true],
    ['is a closed value', 'Restart cart', input(3, 'closed'), true],
    [
      'is a closed value of a destructive action',
      'Restart cart',
      { ...input(3, 'closed'), isDestructive: true },
      false,
    ],
    ['is a closed value of a strict action', 'Restart cart', { ...input(3, 'closed'), isStrict: true }, false],
    [
      'is a closed value that a strict action was asked with',
      'Restart cart 3',
      { ...input(3, 'closed'), isStrict: true },
      true,
    ],
    ['is a list of which one is missing', 'Restart cart with a and b', input(['a', 'c']), false],
    ['is an object whose key is missing', 'Restart cart with a', input({ key: 'a' }), false],
  ])('%s', (_what, text, more, expected) => {
    expect(asked(text, more)).toBe(expected);
  });

  test('an entity counts only if it is named alone', () => {
    const on = { entity: { blueprint: 'service', identifier: 'cart' } };
    expect(asked('Restart cart', on)).toBe(false);
    expect(asked('Restart cart', on, ['service/cart'])).toBe(true);
    expect(asked('Restart cart', on, ['team/cart'])).toBe(false);
    expect(asked('Restart cart', input('cart', 'entity', 'service'), ['service/cart'])).toBe(true);
    expect(asked('Restart cart', input('cart', 'entity', 'service'))).toBe(false);
  });
});

test.each([
  ['v1.5', 'deploy v1.5', true],
  ['v1', 'deploy v1.5', false],
  ['1.5', 'to 1.5.', true],
  ['evil.example', 'to evil.example/x', false],
  ['a b', 'a\n b', true],
  ['a\n b', 'a\n b', true],
  ['a  b', 'a b', false],
  ['a ', 'a b', false],
  ['\u0441art', 'cart', false],
])('%s in "%s": %s', (value, text, expected) => {
  expect(isLiteral(value, text)).toBe(expected);
});
