import { render } from '@testing-library/react';
import { useRef } from 'react';
import { expect, test } from 'vitest';
import { useRailKeys } from './use-rail-keys.ts';

function Rail({ outerOpen, innerOpen }: { readonly outerOpen: boolean; readonly innerOpen: boolean }) {
  const root = useRef<HTMLElement>(null);
  useRailKeys(root);
  return (
    <nav ref={root}>
      <details open={outerOpen}>
        <summary data-item="" tabIndex={-1}>
          Outer
        </summary>
        <details open={innerOpen}>
          <summary data-item="" tabIndex={-1}>
            Inner
          </summary>
          <button type="button" data-item="" tabIndex={0}>
            Page
          </button>
        </details>
      </details>
    </nav>
  );
}

test.each([
  { outerOpen: true, innerOpen: true, stop: 'Page' },
  { outerOpen: true, innerOpen: false, stop: 'Inner' },
  { outerOpen: false, innerOpen: true, stop: 'Outer' },
  { outerOpen: false, innerOpen: false, stop: 'Outer' },
])('the tab stop is $stop, which can be seen', ({ stop, ...folders }) => {
  const { container } = render(<Rail {...folders} />);
  const stops = [...container.querySelectorAll('[tabindex="0"]')].map(({ textContent }) => textContent);
  expect(stops).toEqual([stop]);
});
