import { Anchor, Code, Table } from '@mantine/core';
import { isValidElement, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import classes from './kit.module.css';
import { placeNotes, type TextNote } from './markdown-notes.ts';
import { safeLink } from './safe-link.ts';
import { WrittenLink } from './written-link.tsx';

const components: Components = {
  a: ({ href, children }) => <WrittenLink href={href}>{children}</WrittenLink>,
  // images become links: loading one would disclose the reader to another host
  img({ src, alt }) {
    const address = safeLink(typeof src === 'string' ? src : undefined);
    const name = alt || 'picture';
    return address ? <Anchor href={address}>{name}</Anchor> : <span>{name}</span>;
  },
  code: ({ children }) => <Code>{children}</Code>,
  pre: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
    <pre tabIndex={0}>
      <code>{isValidElement<{ children?: ReactNode }>(children) ? children.props.children : children}</code>
    </pre>
  ),
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={320}>
      <Table>{children}</Table>
    </Table.ScrollContainer>
  ),
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  th: ({ children, style }) => <Table.Th style={style}>{children}</Table.Th>,
  td: ({ children, style }) => <Table.Td style={style}>{children}</Table.Td>,
};

const headings = {
  // a screen has a single h1, its own
  person: {
    h1: ({ children }) => <h2>{children}</h2>,
    h2: ({ children }) => <h3>{children}</h3>,
    h3: ({ children }) => <h4>{children}</h4>,
  },
  // answers are short and models skip levels: every heading becomes one level below the question
  model: Object.fromEntries(
    ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((level) => [
      level,
      ({ children }: { children?: ReactNode }) => <h3>{children}</h3>,
    ]),
  ),
} satisfies Record<string, Components>;

const componentsOf = {
  person: { ...components, ...headings.person },
  model: { ...components, ...headings.model },
};

/** Elements that only `placeNotes` makes: HTML of writers is dropped or shown as text. */
function noteComponents(drawNote: (id: number) => ReactNode): Components {
  const drawn = {
    'note-place': ({ note }: { note?: string }) => <>{drawNote(Number(note))}</>,
    'note-word': ({ children }: { children?: ReactNode }) => <span className={classes.noteWord}>{children}</span>,
  };
  return drawn as unknown as Components;
}

interface MarkdownRenderedProps {
  readonly text: string;
  /** HTML by people is dropped; HTML by a model stays visible as text. */
  readonly writer: 'person' | 'model';
  /** Whether more text follows: unclosed markup is then rendered as closed. */
  readonly isGrowing?: boolean;
  /** What is drawn behind parts of the text. */
  readonly notes?: readonly TextNote[] | undefined;
  readonly drawNote?: ((id: number) => ReactNode) | undefined;
}

/** Loaded when Markdown is first shown. */
export function MarkdownRendered({ text, writer, isGrowing = false, notes = [], drawNote }: MarkdownRenderedProps) {
  const own = componentsOf[writer];
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={notes.length === 0 ? [] : [placeNotes(notes)]}
      skipHtml={writer === 'person'}
      components={drawNote ? { ...own, ...noteComponents(drawNote) } : own}
      urlTransform={(url) => safeLink(url) ?? ''}
    >
      {isGrowing ? remend(text) : text}
    </ReactMarkdown>
  );
}
