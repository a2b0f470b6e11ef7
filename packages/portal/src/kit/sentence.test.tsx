import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Sentence } from './sentence.tsx';

test('marks become elements, and what people wrote stays text', () => {
  const { container } = render(
    <Sentence
      text="Saved <time/> by <strong>{name}</strong>, not by <b>{other}</b>"
      values={{ name: '<time/>', other: 'Ana' }}
      parts={{ time: <time>today</time>, strong: <strong /> }}
    />,
  );
  expect(container.innerHTML).toBe(
    'Saved <time>today</time> by <strong>&lt;time/&gt;</strong>, not by &lt;b&gt;Ana&lt;/b&gt;',
  );
});
