import { Anchor, Code, Table } from '@mantine/core';
import { type Components, Streamdown } from 'streamdown';
import { safeLink } from '../safe-link.ts';
import { WrittenLink } from '../written-link.tsx';

/** Plain parts in place of those of the library: no pictures, no buttons, and links that are safe. */
const components: Components = {
  a: ({ href, children }) => <WrittenLink href={href}>{children}</WrittenLink>,
  // a picture would be fetched from elsewhere, with whatever its address tells: a link leads to it
  img({ src, alt }) {
    const address = safeLink(typeof src === 'string' ? src : undefined);
    const name = typeof alt === 'string' && alt ? alt : 'picture';
    return address ? <Anchor href={address}>{name}</Anchor> : <span>{name}</span>;
  },
  // answers are short, and models skip levels: one level below the question
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h3>{children}</h3>,
  h4: ({ children }) => <h3>{children}</h3>,
  h5: ({ children }) => <h3>{children}</h3>,
  h6: ({ children }) => <h3>{children}</h3>,
  p: ({ children }) => <p>{children}</p>,
  ul: ({ children }) => <ul>{children}</ul>,
  ol: ({ children }) => <ol>{children}</ol>,
  li: ({ children }) => <li>{children}</li>,
  hr: () => <hr />,
  strong: ({ children }) => <strong>{children}</strong>,
  blockquote: ({ children }) => <blockquote>{children}</blockquote>,
  inlineCode: ({ children }) => <Code>{children}</Code>,
  code: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <pre tabIndex={0}>
      <code>{children}</code>
    </pre>
  ),
  pre: ({ children }) => <>{children}</>,
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={320}>
      <Table>{children}</Table>
    </Table.ScrollContainer>
  ),
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  th: ({ children }) => <Table.Th>{children}</Table.Th>,
  td: ({ children }) => <Table.Td>{children}</Table.Td>,
};

/** Loaded with the first answer. HTML in it stays text: what would read it is left out. */
export function StreamedMarkdownRendered({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <Streamdown
      mode={isStreaming ? 'streaming' : 'static'}
      components={components}
      rehypePlugins={[]}
      skipHtml
      controls={false}
      linkSafety={{ enabled: false }}
      urlTransform={(url) => safeLink(url) ?? ''}
    >
      {text}
    </Streamdown>
  );
}
