import { expect, test } from 'vitest';
import { safeLink } from './safe-link.ts';

test.each(['https://example.com/a', 'http://example.com', 'mailto:a@b.c', '/catalog/x', '#part', '?tab=runs', '/'])(
  '%s is followed',
  (address) => {
    expect(safeLink(address)).toBe(address);
  },
);

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example',
  '/\\evil.example',
  'nothing',
  '',
  undefined,
])('%s is not', (address) => {
  expect(safeLink(address)).toBeUndefined();
});
