import { expect, test } from 'vitest';
import { isOldForm } from './old-forms.ts';

test.each([
  ['https://portal.example/v1/agent/invoke', true],
  ['http://localhost:3000/agent/invoke?stream=true&use_mcp=true', true],
  ['https://portal.example/v1/agent/guide/invoke', true],
  ['https://portal.example/v1/agent/{{ .event.agent }}/invoke?stream=true', true],
  ['https://portal.example/v1/agent/guide/invoke?stream=false&use_mcp=true', true],
  ['https://portal.example/v1/agent/guide/invoke?stream=true&use_mcp=true', false],
  ['https://portal.example/v1/agent/guide/invoke/?use_mcp=TRUE&stream=1', false],
  ['https://portal.example/v1/agent/guide/invoke?stream=true&useMCP=true', false],
  ['https://portal.example/v1/ai/invoke', false],
  ['https://example.com/agent/invoker', false],
  ['', false],
])('%s: %s', (url, isOld) => {
  expect(isOldForm(url)).toBe(isOld);
});
