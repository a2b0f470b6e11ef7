import { cleanup } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// what is still being imported when a file ends would fail, and be missing in those after it
afterAll(() => vi.dynamicImportSettled());

// the kit's growing text fields ask when fonts have come; happy-dom has none
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
