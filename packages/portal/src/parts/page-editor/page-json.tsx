import { Alert, Text } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useEffect, useRef, useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { t } from '../../kit/translate.ts';
import type { Draft } from './page-draft.ts';

/** The whole page as JSON of the API. Invalid text stays as typed and blocks saving. */
export function PageJson({
  draft,
  onChange,
  onBroken,
}: {
  draft: Draft;
  onChange: (draft: Draft) => void;
  onBroken: (problem: string | undefined) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(draft, null, 2));
  const [problem, setProblem] = useState<string>();
  // what is written here comes back as the draft, and must not move the text under the cursor
  const shown = useRef(draft);
  const isOwn = useRef(false);
  useEffect(() => {
    if (shown.current === draft) return;
    shown.current = draft;
    if (!isOwn.current) setText(JSON.stringify(draft, null, 2));
    isOwn.current = false;
  }, [draft]);
  const type = (typed: string) => {
    setText(typed);
    const found = findProblem(typed, draft);
    setProblem(found);
    onBroken(found);
    if (found !== undefined) return;
    isOwn.current = true;
    onChange(JSON.parse(typed) as Draft);
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {t('The same format as infrastructure as code. The server checks the JSON when you save.')}
      </Text>
      <CodeEditor
        language="json"
        label={t('Page as JSON')}
        value={text}
        minHeight={320}
        maxHeight={640}
        onChange={type}
      />
      {problem && (
        <Alert color="red" role="alert" mt="xs">
          {problem}
        </Alert>
      )}
    </>
  );
}

function findProblem(text: string, { type }: Draft): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return t('This is no JSON: {message}', { message: (error as Error).message });
  }
  if (!isRecord(value)) return t('A page is an object');
  const page = value as Partial<Draft>;
  if (typeof page.identifier !== 'string' || page.identifier === '') return t('"identifier" must be a text');
  if (page.type !== type) return t('"type" must stay {type}', { type });
  const isList = page.widgets === undefined || (Array.isArray(page.widgets) && page.widgets.every(isRecord));
  return isList ? undefined : t('"widgets" must be a list of objects');
}
