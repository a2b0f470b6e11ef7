import { describe, expect, test } from 'vitest';
import { chooseModel, effectiveModels, type ModelHint, type OperatorModels } from './offered-models.ts';
import type { ChoiceRow } from './provider.store.ts';

const operator: OperatorModels = {
  provider: 'openai',
  standard: 'gpt-5',
  offered: ['gpt-5-mini'],
  connectable: ['openai', 'anthropic', 'openai-compatible'],
};
const local = {
  provider: 'openai-compatible',
  isEnabled: true,
  config: { baseUrl: 'https://models.example.com', models: ['llama', 'qwen'] },
  models: { qwen: { enabled: false } },
};
const anthropic = { provider: 'anthropic', isEnabled: true, config: {}, models: { 'claude-next': { enabled: true } } };
const openai = { provider: 'openai', isEnabled: true, config: {}, models: {} };

function chosen(hints: ModelHint[], row: Partial<ChoiceRow> = {}) {
  const { isOperators, provider, model } =
    chooseModel(operator, { providers: [], standard: null, ...row }, hints) ?? {};
  return `${isOperators ? 'operator' : 'own'} ${provider} ${model}`;
}

describe('the model that answers', () => {
  test.each<[ModelHint[], string]>([
    [[], 'operator openai gpt-5'],
    [[{ provider: '', model: '' }], 'operator openai gpt-5'],
    [[{ provider: 'port', model: 'gpt-5-mini' }], 'operator openai gpt-5-mini'],
    [[{ model: 'gpt-5-mini' }], 'operator openai gpt-5-mini'],
    [[{ provider: 'openai', model: 'gpt-5-mini' }], 'operator openai gpt-5-mini'],
    [[{ provider: 'openai', model: 'claude-sonnet-4-20250514' }], 'operator openai gpt-5'],
    [[{ provider: 'anthropic', model: 'claude-next' }], 'operator openai gpt-5'],
    [[{ provider: '__proto__', model: 'constructor' }], 'operator openai gpt-5'],
    [[{ model: 'unknown' }, { model: 'gpt-5-mini' }], 'operator openai gpt-5-mini'],
  ])('of %j, with nothing connected, is %s', (hints, expected) => expect(chosen(hints)).toBe(expected));

  test.each<[ModelHint[], string]>([
    [[], 'operator openai gpt-5'],
    [[{ provider: 'anthropic', model: 'claude-next' }], 'own anthropic claude-next'],
    [[{ provider: 'openai-compatible' }], 'own openai-compatible llama'],
    [[{ provider: 'openai-compatible', model: 'qwen' }], 'operator openai gpt-5'],
    [[{ provider: 'anthropic' }], 'operator openai gpt-5'],
    [[{ model: 'llama' }], 'own openai-compatible llama'],
    [[{ provider: 'openai', model: 'gpt-5' }], 'own openai gpt-5'],
    [[{ provider: 'port', model: 'gpt-5' }], 'operator openai gpt-5'],
    [[{ model: 'gpt-5' }], 'operator openai gpt-5'],
  ])('of %j, with own providers, is %s', (hints, expected) =>
    expect(chosen(hints, { providers: [anthropic, local, openai] })).toBe(expected),
  );

  test('is the default of the organization where no hint fits, and only while it is enabled', () => {
    const standard = { provider: 'openai-compatible', model: 'llama' };
    expect(chosen([{ model: 'unknown' }], { providers: [local], standard })).toBe('own openai-compatible llama');
    expect(chosen([{ provider: 'port' }], { providers: [local], standard })).toBe('operator openai gpt-5');
    expect(chosen([], { providers: [{ ...local, isEnabled: false }], standard })).toBe('operator openai gpt-5');
  });

  test('is never the operator’s where he was switched off, nor one that he does not allow', () => {
    const port = { provider: 'port', isEnabled: false, config: {}, models: {} };
    expect(chosen([{ provider: 'port' }], { providers: [local, port] })).toBe('own openai-compatible llama');
    expect(chooseModel(operator, { providers: [port], standard: null }, [])).toBeUndefined();
    const strict = { ...operator, connectable: [] };
    expect(chooseModel(strict, { providers: [local], standard: null }, [{ model: 'llama' }])?.model).toBe('gpt-5');
  });

  test('nobody adds a model to what the operator pays for', () => {
    const port = { provider: 'port', isEnabled: true, config: {}, models: { 'gpt-99': { enabled: true } } };
    expect(Object.keys(effectiveModels(operator, port))).toEqual(['gpt-5', 'gpt-5-mini']);
    expect(chosen([{ provider: 'port', model: 'gpt-99' }], { providers: [port] })).toBe('operator openai gpt-5');
  });
});
