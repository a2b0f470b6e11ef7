import type { StandbyReport } from '../db/engine.ts';
import { formatBytes } from '../format-bytes.ts';
import type { Finding } from './judge-database.ts';
import type { StandbyHealth } from './standby-health.store.ts';

/** As the alert has it. */
const secondsMax = 30;
const bytesMax = 1024 ** 3;

/** Standbys that are behind, missed by commits, or of no use to the reads that are meant for them. */
export function judgeStandbys({ copies, waitsFor }: StandbyHealth, read: StandbyReport['standbys'] = []): Finding[] {
  const found: Finding[] = [];
  const isHidden = copies.some(({ state }) => state === null);
  if (waitsFor !== '' && !isHidden && !copies.some((each) => each.isSynchronous && each.state === 'streaming')) {
    const message = `synchronous_standby_names is ${waitsFor}, and no such standby is connected: commits wait for it. Connect one, or empty the setting.`;
    found.push({ status: 'failed', code: 'no_synchronous_standby', message });
  }
  for (const { name, state, behindSeconds, behindBytes } of copies) {
    const isCatchingUp = state === 'startup' || state === 'catchup';
    const isBehind = state === 'streaming' && (behindSeconds > secondsMax || behindBytes > bytesMax);
    if (!isCatchingUp && !isBehind) continue;
    const behind = `${Math.round(behindSeconds)} s and ${formatBytes(behindBytes)} behind`;
    const message = isCatchingUp
      ? `The standby ${name} is catching up: ${behind}. A failover to it now would wait, or lose that.`
      : `The standby ${name} is ${behind}. A long query on it, or its disk or network, holds it up.`;
    found.push({ status: 'warning', code: 'standby_behind', message });
  }
  for (const { name, problem } of read) {
    if (problem === undefined) continue;
    const message = `The standby ${name} answers no reads (${problem}); the primary does. "portolan doctor" says what that means.`;
    found.push({ status: 'warning', code: 'standby_unusable', message });
  }
  return found;
}

/** What is said of standbys that need nobody. */
export function standbysText({ copies }: StandbyHealth): string {
  const streaming = copies.filter(({ state }) => state === 'streaming');
  if (copies.some(({ state }) => state === null)) {
    return `${copies.length} connected; how far they are behind is for users with pg_monitor`;
  }
  if (streaming.length === 0) return 'none is connected to the primary';
  const seconds = Math.max(...streaming.map((each) => each.behindSeconds)).toFixed(1);
  return `${streaming.length} connected, at most ${seconds} s behind`;
}
