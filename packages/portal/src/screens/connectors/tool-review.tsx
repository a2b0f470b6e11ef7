import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { errorCode } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { DiffView } from '../../kit/diff-view.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { reviewed, type ServerTool, serverReads, waitsForReview } from './connector-things.ts';

const words = {
  new: { word: t('New'), colour: 'blue' },
  changed: { word: t('Changed'), colour: 'gold' },
  approved: { word: t('Offered'), colour: 'green' },
  declined: { word: t('Declined'), colour: 'darkGray' },
  gone: { word: t('Gone'), colour: 'darkGray' },
} as const;

/** The review of a tool: its description for models, the changes since the last decision, and the decision. */
export function ToolReview({ server, tool }: { server: string; tool: ServerTool }) {
  const [isReadOnly, setReadOnly] = useState(false);
  const review = useChange('reviewMcpServerTools', { staleAfter: [...serverReads] });
  const toast = useToast();
  const { name, hash, state, definition, decidedDefinition, warnings } = tool;
  const decide = async (decision: 'approve' | 'decline') => {
    try {
      await review.mutateAsync({
        params: { server_identifier: server },
        body: { decisions: [{ name, hash, decision, ...(decision === 'approve' ? { readOnly: isReadOnly } : {}) }] },
      });
      toast(decision === 'approve' ? t('{name} was approved', { name }) : t('{name} was declined', { name }));
    } catch {
      // the error is shown beside the tool
    }
  };
  const { word, colour } = words[state];
  const isStale = errorCode(review.error) === 'stale_version';
  return (
    <article aria-label={name}>
      <Stack gap={6}>
        <Group gap={8}>
          <code style={{ overflowWrap: 'anywhere' }}>{tool.offeredAs}</code>
          <ColourBadge colour={colour}>{word}</ColourBadge>
          {state === 'approved' && tool.readOnly && <ColourBadge colour="turquoise">{t('Reads only')}</ColourBadge>}
        </Group>
        <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {definition.description || t('No description.')}
        </Text>
        {warnings.length > 0 && (
          <Alert color="yellow" title={t('Look closely')}>
            <ul>
              {warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          </Alert>
        )}
        {decidedDefinition && (
          <>
            <Text size="sm" fw={500}>
              {t('What changed since it was decided on')}
            </Text>
            <DiffView before={reviewed(decidedDefinition)} after={reviewed(definition)} />
          </>
        )}
        <details>
          <summary>{t('Inputs')}</summary>
          <CodeEditor
            value={JSON.stringify(definition.inputSchema, null, 2)}
            language="json"
            label={t('Inputs of {name}', { name })}
            minHeight={40}
            maxHeight={280}
          />
        </details>
        {review.error && (
          <ErrorState
            error={review.error}
            what={isStale ? t('The server has another definition now') : t('The decision was not kept')}
          />
        )}
        {state !== 'gone' && (
          <Group gap="xs">
            {waitsForReview(tool) || state === 'declined' ? (
              <>
                <Checkbox
                  label={t('I vouch that it changes nothing')}
                  description={
                    tool.claimsReadOnly
                      ? t('The server says so, which counts for nothing')
                      : t('Without it, each call waits for somebody to approve')
                  }
                  checked={isReadOnly}
                  onChange={({ currentTarget }) => setReadOnly(currentTarget.checked)}
                />
                <Button
                  size="xs"
                  loading={review.isPending}
                  aria-label={t('Approve {name}', { name })}
                  onClick={() => void decide('approve')}
                >
                  {t('Approve')}
                </Button>
              </>
            ) : null}
            {state !== 'declined' && (
              <Button
                size="xs"
                variant="default"
                disabled={review.isPending}
                aria-label={`${state === 'approved' ? t('Withdraw') : t('Decline')} ${name}`}
                onClick={() => void decide('decline')}
              >
                {state === 'approved' ? t('Withdraw') : t('Decline')}
              </Button>
            )}
            {tool.decidedAt && (
              <Text size="sm" c="dimmed">
                <Sentence text="Decided <time/> by" parts={{ time: <RelativeTime at={tool.decidedAt} /> }} />{' '}
                {tool.decidedBy}
              </Text>
            )}
          </Group>
        )}
      </Stack>
    </article>
  );
}
