import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { useNotices } from '../../frame/notices.ts';
import { usePanel } from '../../frame/panel.tsx';
import { useAttempt } from '../../kit/attempt.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { plural, t } from '../../kit/translate.ts';
import { NoticeItem } from './notice-item.tsx';
import classes from './notices.module.css';
import { useNoticeKeys } from './use-notice-keys.ts';

const shownFirst = 20;
const shownMost = 100;

/** What workflows told the user: looked at, marked as read and dismissed here. */
export function Panel() {
  const { close } = usePanel();
  const panel = useNoticeKeys(close);
  const [limit, setLimit] = useState(shownFirst);
  const read = useNotices(limit);
  const readAll = useChange('readNotices', { staleAfter: ['listNotices'] });
  const attempt = useAttempt();
  return (
    <section ref={panel} tabIndex={-1} aria-label={t('Notices of workflows')}>
      <Reading of={read}>
        {({ notices, unread }) => (
          <Stack gap="sm">
            <Group justify="space-between">
              <Text size="sm" c="dimmed">
                {unread === 0 ? t('All read') : plural(unread, '{count} unread', '{count} unread')}
              </Text>
              {unread > 0 && (
                <Button
                  size="xs"
                  variant="default"
                  loading={readAll.isPending}
                  onClick={() => {
                    const upTo = notices[0]?.identifier;
                    void attempt(() => readAll.mutateAsync({ body: upTo === undefined ? {} : { upTo } }));
                    panel.current?.focus();
                  }}
                >
                  {t('Mark all as read')}
                </Button>
              )}
            </Group>
            {notices.length === 0 ? (
              <EmptyState title={t('No notices')}>{t('What workflows tell you appears here.')}</EmptyState>
            ) : (
              <ul className={classes.list}>
                {notices.map((each) => (
                  <NoticeItem key={each.identifier} notice={each} onGone={() => panel.current?.focus()} />
                ))}
              </ul>
            )}
            {notices.length === shownFirst && limit === shownFirst && (
              <Button variant="default" size="xs" onClick={() => setLimit(shownMost)}>
                {t('Show more')}
              </Button>
            )}
          </Stack>
        )}
      </Reading>
    </section>
  );
}
