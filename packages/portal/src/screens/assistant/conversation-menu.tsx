import { ActionIcon } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Download, MoreHorizontal, Pencil, Pin, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { lastAssistant, rememberAssistant } from '../../frame/assistant-memory.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { Menu } from '../../kit/menu.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

/** What can be done with the shown conversation, which has to be one of the person's own. */
export function ConversationMenu({ id, onGone }: { id: string; onGone: () => void }) {
  const { data } = useRead('listConversations', { query: { limit: 50 } });
  const conversation = data?.conversations.find(({ identifier }) => identifier === id);
  const [open, setOpen] = useState<'rename' | 'share'>();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const confirm = useConfirm();
  const toast = useToast();
  if (!conversation) return null;
  const params = { conversation_identifier: id };
  const failed = (error: Error) => toast({ text: error.message, kind: 'failure' });
  const pin = async () => {
    await call('pinConversation', { params, body: { pinned: !conversation.pinned } });
    await refresh(['listConversations']);
  };
  const download = async () => {
    const { content } = await call('exportConversation', { params, query: { format: 'markdown' } });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], { type: 'text/markdown' }));
    link.download = 'conversation.md';
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const remove = async () => {
    const isSure = await confirm({
      title: t('Delete this conversation?'),
      consequence: t('Its questions and answers are removed for good. Runs and drafts that it led to stay.'),
      verb: t('Delete conversation'),
      operation: 'deleteConversation',
    });
    if (!isSure) return;
    // nothing may read it any more when it is gone
    onGone();
    if (lastAssistant() === id) rememberAssistant('');
    const isIts = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => isReadOf(queryKey, id) };
    await queries.cancelQueries(isIts);
    queries.removeQueries(isIts);
    await call('deleteConversation', { params });
    await refresh(['listConversations']);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="lg" aria-label={t('More for this conversation')}>
            <MoreHorizontal size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Pencil size={14} />} onClick={() => setOpen('rename')}>
            {t('Rename')}
          </Menu.Item>
          <Menu.Item leftSection={<Pin size={14} />} onClick={() => void pin().catch(failed)}>
            {conversation.pinned ? t('Unpin') : t('Pin')}
          </Menu.Item>
          <Menu.Item leftSection={<Share2 size={14} />} onClick={() => setOpen('share')}>
            {t('Share')}
          </Menu.Item>
          <Menu.Item leftSection={<Download size={14} />} onClick={() => void download().catch(failed)}>
            {t('Export as Markdown')}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => void remove().catch(failed)}>
            {t('Delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameDialog
        key={`rename ${id} ${open}`}
        isOpen={open === 'rename'}
        id={id}
        title={conversation.title}
        onClose={() => setOpen(undefined)}
      />
      <ShareDialog
        key={`share ${id} ${open}`}
        isOpen={open === 'share'}
        conversation={conversation}
        onClose={() => setOpen(undefined)}
      />
    </>
  );
}

function isReadOf([name, input]: readonly unknown[], id: string): boolean {
  const params = (input as { params?: Record<string, unknown> } | undefined)?.params;
  return name === 'getConversation' && params?.['conversation_identifier'] === id;
}
