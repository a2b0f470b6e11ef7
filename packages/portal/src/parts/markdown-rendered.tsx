import { Anchor, Code, Table } from '@mantine/core';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { safeLink } from './safe-link.ts';
import { WrittenLink } from './written-link.tsx';

const components: Components = {
  a: ({ href, children }) => <WrittenLink href={href}>{children}</WrittenLink>,
  // pictures would be fetched from elsewhere: a link leads to them
  img({ src, alt }) {
    const address = safeLink(typeof src === 'string' ? src : undefined);
    return address ? <Anchor href={address}>{alt || 'picture'}</Anchor> : <span>{alt}</span>;
  },
  // a screen has one heading of the first level, and it is the screen's own
  h1: ({ children }) => <h2>{children}</h2>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  code: ({ children, className }) =>
    className ? <code className={className}>{children}</code> : <Code>{children}</Code>,
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={320}>
      <Table>{children}</Table>
    </Table.ScrollContainer>
  ),
};

/** Loaded where Markdown is first shown. */
export function MarkdownRendered({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      skipHtml
      components={components}
      urlTransform={(url) => safeLink(url) ?? ''}
    >
      {text}
    </ReactMarkdown>
  );
}
