import { cleanup } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// the kit's growing text fields ask when fonts have come; happy-dom has none
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
