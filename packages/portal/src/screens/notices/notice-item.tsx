import { ActionIcon, Anchor, Group, Text, VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useChange } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import type { Notice } from '../../frame/notices.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { t } from '../../kit/translate.ts';
import { workflowRunAddress } from '../../parts/workflows/workflow-links.ts';
import { noticeLink } from './notice-link.ts';
import classes from './notices.module.css';

/** One notice: who, what and when. Following its link marks it as read. */
export function NoticeItem({ notice, onGone }: { notice: Notice; onGone: () => void }) {
  const { identifier, subject, body, workflow, workflowRun, createdAt, readAt } = notice;
  const params = { notice: identifier };
  const markRead = useChange('readNotice', { staleAfter: ['listNotices'] });
  const dismiss = useChange('dismissNotice', { staleAfter: ['listNotices'] });
  const attempt = useAttempt();
  const isUnread = readAt === null;
  const read = () => void (isUnread && attempt(() => markRead.mutateAsync({ params })));
  const link = noticeLink(notice.link);
  return (
    <li className={classes.item} data-unread={isUnread || undefined}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <div style={{ minWidth: 0 }}>
          {isUnread && <VisuallyHidden>{t('Unread:')} </VisuallyHidden>}
          <Subject notice={notice} link={link} onFollow={read} />
          <Text size="sm" c="dimmed" component="div">
            <bdi>{workflow.title || workflow.identifier}</bdi>
            {workflowRun && (
              <>
                {' · '}
                <bdi>{workflowRun.createdBy}</bdi>
              </>
            )}
            {' · '}
            <RelativeTime at={createdAt} />
          </Text>
        </div>
        <Group gap={4} wrap="nowrap">
          {isUnread && (
            <ActionIcon
              aria-label={t('Mark "{subject}" as read', { subject })}
              onClick={() => {
                read();
                onGone();
              }}
            >
              <Check size={16} />
            </ActionIcon>
          )}
          <ActionIcon
            aria-label={t('Dismiss "{subject}"', { subject })}
            onClick={() => {
              void attempt(() => dismiss.mutateAsync({ params }));
              onGone();
            }}
          >
            <X size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {body !== '' && (
        <Text size="sm" className={classes.body ?? ''} dir="auto">
          {body}
        </Text>
      )}
      {link && workflowRun && (
        <AnchorLink {...workflowRunAddress(workflowRun.identifier)} size="sm" onClick={read}>
          {t('Open the run')}
        </AnchorLink>
      )}
    </li>
  );
}

/** Leads to the link that the workflow gave, or to the run where the reader may see it. */
function Subject({ notice, link, onFollow }: { notice: Notice; link: string | undefined; onFollow: () => void }) {
  const router = useRouter();
  const { subject, workflowRun } = notice;
  const look = { fw: 600, dir: 'auto', 'data-notice': true } as const;
  if (link?.startsWith('/')) {
    const follow = (event: MouseEvent) => {
      onFollow();
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      router.history.push(link);
    };
    return (
      <Anchor {...look} c="var(--text)" href={link} onClick={follow}>
        {subject}
      </Anchor>
    );
  }
  if (link) {
    return (
      <Anchor {...look} c="var(--text)" href={link} target="_blank" rel="noopener noreferrer" onClick={onFollow}>
        {subject}
      </Anchor>
    );
  }
  if (workflowRun) {
    return (
      <AnchorLink {...workflowRunAddress(workflowRun.identifier)} {...look} c="var(--text)" onClick={onFollow}>
        {subject}
      </AnchorLink>
    );
  }
  return (
    <Text {...look} component="span" tabIndex={-1}>
      {subject}
    </Text>
  );
}
