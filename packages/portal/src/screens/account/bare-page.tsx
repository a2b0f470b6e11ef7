import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from '../../frame/title.ts';
import { t } from '../../kit/translate.ts';
import classes from './bare.module.css';

/** A screen outside the frame, for people who are not signed in. */
export function BarePage({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  useTitle(title);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.mark} aria-hidden="true" />
        Portolan
      </header>
      <main className={classes.card}>
        <Title order={1} mb={4}>
          {title}
        </Title>
        <Text c="dimmed" mb="lg">
          {lead}
        </Text>
        {children}
        <Text size="sm" mt="lg">
          <a href="/docs">{t('API reference')}</a>
        </Text>
      </main>
    </div>
  );
}
