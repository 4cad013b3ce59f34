/**
 * Pages and parts that are loaded when they are needed. While the server is away, loading is tried again in the app:
 * reloading the page would end in the browser's error page, and lose what was typed.
 */
import { type ComponentType, createElement, lazy, type ReactNode, useSyncExternalStore } from 'react';

const AGAIN_MS = 2_000;

/** How many parts wait for the server. */
let away = 0;
const listeners = new Set<() => void>();

export function useIsServerAway(): boolean {
  return useSyncExternalStore(subscribe, () => away > 0);
}

/** Fails only if the server answers without the part, as after an update of the server. */
async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    count(1);
  }
  try {
    while (!(await isServerThere())) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return await load();
  } finally {
    count(-1);
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

function count(change: 1 | -1): void {
  away += change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

type Named<Name extends string, Props> = Record<Name, ComponentType<Props>>;

/** For a part of a page, below a `Suspense`. */
export function lazyPart<Name extends string, Props>(load: () => Promise<Named<Name, Props>>, name: Name) {
  return lazy(async () => ({ default: (await untilLoaded(load))[name] }));
}

interface LazyPage {
  (props: object): ReactNode;
  preload: () => Promise<void>;
}

/** For a route. The router calls `preload`, and shows its pending component meanwhile. */
export function lazyPage<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): LazyPage {
  let page: ComponentType<object> | undefined;
  let loading: Promise<void> | undefined;
  const preload = () => {
    loading ??= untilLoaded(load).then(
      (found) => {
        page = found[name] as ComponentType<object>;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const shown = (props: object) => {
    if (page === undefined) throw preload();
    return createElement(page, props);
  };
  return Object.assign(shown, { preload });
}
