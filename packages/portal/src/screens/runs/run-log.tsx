import { Button, Group, Switch, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { locale } from '../../kit/language.ts';
import { ErrorState } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { duration, exact } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { isOver, type Run } from '../../parts/run-things.ts';
import { useRunLog } from './follow-log.ts';
import classes from './runs.module.css';

/** The log that the backend writes, live. */
export function RunLog({ run }: { run: Run }) {
  const over = isOver(run);
  const log = useRunLog(run.id, over);
  const [isFollowed, setFollowed] = useState(true);
  const [term, setTerm] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const lines = log.data?.lines ?? [];
  const shown = lines.filter(({ message }) => message.toLowerCase().includes(term.toLowerCase()));
  const count = lines.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is what it scrolls for
  useEffect(() => {
    if (isFollowed && !over) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count, isFollowed, over]);
  useCommands([
    { id: 'follow log', label: t('Follow the log'), keys: 'l', run: () => setFollowed(!isFollowed) },
    { id: 'search log', label: t('Search the log'), keys: '/', run: () => search.current?.focus() },
  ]);
  const download = () => {
    const text = lines.map(({ createdAt, message }) => `${createdAt} ${message}`).join('\n');
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: `${run.id}.log` });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <section className={surfaces.block} aria-label={t('Log')}>
      <div className={classes.blockHead}>
        <Title order={2} size="h3">
          {t('Log')}
        </Title>
        {count > 0 && (
          <Group gap="xs">
            <TextInput
              ref={search}
              size="xs"
              aria-label={t('Search the log')}
              placeholder={t('Search')}
              value={term}
              onChange={({ currentTarget }) => setTerm(currentTarget.value)}
            />
            {!over && (
              <Switch
                size="xs"
                label={t('Follow')}
                checked={isFollowed}
                onChange={({ currentTarget }) => setFollowed(currentTarget.checked)}
              />
            )}
            <Button size="xs" variant="default" onClick={download}>
              {t('Download')}
            </Button>
          </Group>
        )}
      </div>
      {log.error && (
        <ErrorState error={log.error} what={t('The log could not be read')} onRetry={() => void log.refetch()} />
      )}
      {count === 0 && !log.error && <EmptyLog run={run} isPending={log.isPending} />}
      {count > 0 && shown.length === 0 && <Text c="dimmed">{t('No line holds "{term}".', { term })}</Text>}
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <ol className={classes.log} ref={list} tabIndex={0} aria-label={t('Lines of the log')}>
          {shown.map(({ id, createdAt, message }) => (
            <li key={id}>
              <time dateTime={createdAt} title={exact(new Date(createdAt))}>
                {new Date(createdAt).toLocaleTimeString(locale)}
              </time>
              <span dir="auto">{plain(message)}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function EmptyLog({ run, isPending }: { run: Run; isPending: boolean }) {
  if (isPending) return <Text c="dimmed">{t('Reading the log')}</Text>;
  if (isOver(run)) return <Text c="dimmed">{t('Nothing was written.')}</Text>;
  if (run.status !== 'IN_PROGRESS')
    return <Text c="dimmed">{t('Waiting for a decision. The run has not started.')}</Text>;
  return (
    <Text c="dimmed">
      {t('The backend has not written yet ({duration}).', {
        duration: duration(Date.now() - Date.parse(run.createdAt)),
      })}
    </Text>
  );
}

/** Strips terminal colour codes. */
function plain(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the sign that begins them
  return message.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
