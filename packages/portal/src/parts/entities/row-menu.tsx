import { useNavigate } from '@tanstack/react-router';
import { Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { type ComponentPropsWithRef, lazy, Suspense, useState } from 'react';
import { buildHref } from '../../frame/link-target.ts';
import { Menu } from '../../kit/menu.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsItem } from '../access/needs.tsx';
import { entityAddress } from '../entity-anchor.tsx';
import { FavoriteItem } from '../favorites/favorite-star.tsx';
import { CellButton, useFirstOpening } from './cell-button.tsx';
import { useDeleteEntity } from './delete-entity.ts';
import type { FieldEntity } from './fields.ts';
import { useOffers } from './rights.ts';

const ActionItems = lazy(async () => ({ default: (await import('../actions/entity-items.tsx')).ActionItems }));

interface RowMenuProps {
  readonly entity: FieldEntity;
  readonly blueprint: string;
  readonly onDeleted?: () => void;
}

/** The menu of an entity, with the actions that the server offers. Renders only a button until first used. */
export function RowMenu(props: RowMenuProps) {
  const [isUsed, setUsed] = useState(false);
  if (isUsed) return <UsedMenu {...props} />;
  return <MenuButton entity={props.entity} aria-haspopup="menu" onClick={() => setUsed(true)} />;
}

function MenuButton({ entity, onClick, ...button }: ComponentPropsWithRef<'button'> & { entity: FieldEntity }) {
  return (
    <CellButton
      {...button}
      aria-label={t('What can be done with {title}', { title: entity.title || entity.identifier || '' })}
      onClick={(event) => {
        event.stopPropagation();
        onClick?.(event);
      }}
    >
      <Ellipsis size={16} aria-hidden="true" />
    </CellButton>
  );
}

function UsedMenu({ entity, blueprint, onDeleted }: RowMenuProps) {
  const { isOpen, setOpen, button } = useFirstOpening();
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withinPortal shadow="md" width={260}>
      <Menu.Target>
        <MenuButton ref={button} entity={entity} />
      </Menu.Target>
      <Menu.Dropdown>
        {isOpen && <Items entity={entity} blueprint={blueprint} {...(onDeleted ? { onDeleted } : {})} />}
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ entity, blueprint, onDeleted }: RowMenuProps) {
  const identifier = entity.identifier ?? '';
  const navigate = useNavigate();
  const toast = useToast();
  const { permits } = useOffers(blueprint, identifier);
  const remove = useDeleteEntity();
  const address = entityAddress(blueprint, identifier);
  const title = entity.title || identifier;
  return (
    <>
      <Suspense fallback={<Menu.Label>{t('Reading the actions')}</Menu.Label>}>
        <ActionItems blueprint={blueprint} entity={identifier} />
      </Suspense>
      <Menu.Item
        leftSection={<Copy size={14} />}
        onClick={() =>
          void navigator.clipboard
            .writeText(location.origin + buildHref(address))
            .then(() => toast(t('The link was copied')))
        }
      >
        {t('Copy the link')}
      </Menu.Item>
      <FavoriteItem
        favorite={{ kind: 'entity', blueprint, identifier, title, ...(entity.icon ? { icon: entity.icon } : {}) }}
      />
      <NeedsItem permit={permits.edit} to={t('edit {title}', { title })}>
        <Menu.Item
          leftSection={<Pencil size={14} />}
          onClick={() =>
            void navigate({ to: '/e/$blueprint/$entity/$tab', params: { ...address.params, tab: 'edit' } })
          }
        >
          {t('Edit')}
        </Menu.Item>
      </NeedsItem>
      <Menu.Divider />
      <NeedsItem permit={permits.unregister} to={t('delete {title}', { title })}>
        <Menu.Item
          color="red"
          leftSection={<Trash2 size={14} />}
          onClick={() => void remove({ blueprint, identifier, title }).then((isGone) => isGone && onDeleted?.())}
        >
          {t('Delete {title}', { title })}
        </Menu.Item>
      </NeedsItem>
    </>
  );
}
