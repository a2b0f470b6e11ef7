import { Navigate } from '@tanstack/react-router';
import { useParam, useUrlState } from '../../frame/url-state.ts';

/** Pages are edited in their place; links to the editor that was here lead there. */
export function Screen() {
  const page = useParam('page');
  const [tab = 'widgets'] = useUrlState('/catalog/$page/edit', 'tab');
  if (page === '$home') return <Navigate to="/" search={{ edit: tab }} replace />;
  return <Navigate to="/catalog/$page" params={{ page }} search={{ edit: tab }} replace />;
}
