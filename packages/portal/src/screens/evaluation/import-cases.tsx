import { Alert, Button, FileInput, List, Stack, Text, Textarea } from '@mantine/core';
import { toCase } from '@portolan/evaluation';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { plural, t } from '../../kit/translate.ts';
import { browserGraderKit } from './browser-evaluation.ts';
import { caseParams, evaluationReads } from './evaluation-reads.ts';

interface WrittenCase {
  readonly identifier?: string;
  readonly [key: string]: unknown;
}

/** Cases from JSON: a list of entities as `portolan eval` reads them. Nothing is imported if one is written wrong. */
export function ImportCases({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const refresh = useRefresh();
  const toast = useToast();
  const send = async () => {
    const { cases, wrong } = readWrittenCases(text);
    setProblems(wrong);
    if (wrong.length > 0) return;
    setBusy(true);
    const refused: string[] = [];
    for (const body of cases) {
      await call('createEntity', { params: caseParams, query: { upsert: true }, body: body as never }).catch(
        (error: Error) => refused.push(`${body.identifier}: ${error.message}`),
      );
    }
    setBusy(false);
    await refresh(evaluationReads);
    setProblems(refused);
    const done = cases.length - refused.length;
    if (done > 0) toast(plural(done, '{count} case was imported', '{count} cases were imported'));
    if (refused.length === 0) onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={t('Import cases')} size="lg">
      <Stack>
        <Text size="sm">
          {t('A JSON list of cases, each with identifier and properties. A case that is there is replaced.')}
        </Text>
        <FileInput
          label={t('File')}
          accept="application/json,.json"
          onChange={(file) => void file?.text().then(setText)}
        />
        <Textarea
          label={t('Cases as JSON')}
          autosize
          minRows={6}
          maxRows={16}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {problems.length > 0 && (
          <Alert color="red" role="alert" title={t('Not everything was imported')}>
            <List size="sm">
              {problems.map((problem) => (
                <List.Item key={problem}>{problem}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Button loading={isBusy} disabled={text.trim() === ''} onClick={() => void send()}>
          {t('Import')}
        </Button>
      </Stack>
    </Dialog>
  );
}

/** The cases of a text, and what is wrong with them, each with its path. */
function readWrittenCases(text: string): { readonly cases: readonly WrittenCase[]; readonly wrong: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { cases: [], wrong: [t('This is no JSON: {message}', { message: (error as Error).message })] };
  }
  const list = Array.isArray(value) ? value : (value as { entities?: unknown } | null)?.entities;
  if (!Array.isArray(list) || list.length === 0) return { cases: [], wrong: [t('This is no list of cases.')] };
  const issues: { path: string; message: string }[] = [];
  for (const [index, each] of list.entries()) {
    const identifier = (each as WrittenCase | null)?.identifier;
    if (typeof identifier !== 'string' || identifier === '') {
      issues.push({ path: `${index}/identifier`, message: t('must be an identifier') });
    } else toCase(each as never, browserGraderKit, issues);
  }
  const wrong = issues.filter(({ message }) => !message.startsWith('is for the command line'));
  return { cases: list as WrittenCase[], wrong: wrong.map(({ path, message }) => `${path}: ${message}`) };
}
