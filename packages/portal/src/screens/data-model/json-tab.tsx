import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { t } from '../../kit/translate.ts';
import { draftText, readDraft } from './blueprint-draft.ts';
import classes from './data-model.module.css';
import type { TabProps } from './tab-props.ts';

/** The draft as JSON; the other tabs follow while it is valid. */
export function JsonTab({
  draft,
  onChange,
  problem,
  onProblem,
}: TabProps & { problem: string | undefined; onProblem: (problem: string | undefined) => void }) {
  const [text, setText] = useState(() => draftText(draft));
  const read = (typed: string) => {
    setText(typed);
    const result = readDraft(typed);
    if ('problem' in result) return onProblem(result.problem);
    onProblem(undefined);
    onChange(result.draft);
  };
  // discarding resets the text too
  const result = readDraft(text);
  if (problem === undefined && ('problem' in result || draftText(result.draft) !== draftText(draft))) {
    setText(draftText(draft));
  }
  return (
    <Stack gap="xs">
      <CodeEditor
        language="json"
        label={t('Blueprint as JSON')}
        value={text}
        onChange={read}
        minHeight={320}
        maxHeight={640}
      />
      <Text size="sm" className={problem === undefined ? classes.detail : classes.problem} role="status">
        {problem ?? t('The same as the other tabs. What is changed here is shown there.')}
      </Text>
    </Stack>
  );
}
