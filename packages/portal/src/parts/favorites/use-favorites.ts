import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type AnswerOf, call, type InputOf } from '../../api/api.ts';
import { readKey, useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { type Edit, type Favorite, favoritesMax, isIn, withFavorite, withoutFavorite } from './favorite.ts';

type Answer = AnswerOf<'getFavorites'>;
type Written = NonNullable<InputOf<'putFavorites'>>['body']['favorites'][number];

interface Change {
  readonly edit: Edit;
  /** Told when it is done. */
  readonly done?: string;
}

const key = readKey('getFavorites');
const none: readonly Favorite[] = [];

/** The user's own favorites, and how to change them. A change shows at once, and is made on the list as it is stored. */
export function useFavorites() {
  const { user } = useSession();
  const queries = useQueryClient();
  const toast = useToast();
  const read = useRead('getFavorites', undefined, { isOn: user !== null });
  const write = useMutation({
    // one after the other: each starts from what the one before left
    scope: { id: 'favorites' },
    mutationFn: async ({ edit }: Change) => {
      const { favorites } = await call('getFavorites');
      return call('putFavorites', { body: { favorites: edit(favorites).map(toWritten) } });
    },
    onMutate: async ({ edit }) => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData<Answer>(key, (before) => before && { ...before, favorites: [...edit(before.favorites)] });
    },
    // also where the menu that asked for it is gone by now
    onSuccess: (answer, { done }) => {
      queries.setQueryData<Answer>(key, answer);
      if (done !== undefined) toast(done);
    },
    onError: async (error) => {
      toast({ text: t('Your favorites were not changed. {message}', { message: error.message }), kind: 'failure' });
      await queries.invalidateQueries({ queryKey: key });
    },
  });
  return { read, favorites: read.data?.favorites ?? none, isOffered: user !== null, change: write.mutate };
}

/** Whether one thing is a favorite, and the switch. */
export function useFavorite(favorite: Favorite) {
  const { favorites, change, isOffered } = useFavorites();
  const toast = useToast();
  const isOn = isIn(favorites, favorite);
  const name = favorite.title || favorite.identifier;
  /** `tells` where the star itself is not in sight. */
  const toggle = ({ tells }: { readonly tells: boolean }) => {
    if (!isOn && favorites.length >= favoritesMax) {
      return toast({
        text: t('You have {favoritesMax} favorites, the most there can be. Remove one first.', { favoritesMax }),
      });
    }
    const done = isOn ? t('{name} was removed from favorites', { name }) : t('{name} was added to favorites', { name });
    change({ edit: isOn ? withoutFavorite(favorite) : withFavorite(favorite), ...(tells ? { done } : {}) });
  };
  return { isOn, isOffered, toggle, label: isOn ? t('Remove from favorites') : t('Add to favorites') };
}

function toWritten({ kind, identifier, blueprint = '', page = '', view = {} }: Favorite): Written {
  if (kind === 'entity') return { kind, identifier, blueprint };
  return kind === 'view' ? { kind, identifier, page, view } : { kind, identifier };
}
