/** The same example in several languages: one is shown, and the choice holds on every page. */
import { remember, remembered } from './storage.ts';

const KEY = 'postrider.docs.language';

interface Group {
  readonly tabs: readonly HTMLButtonElement[];
  readonly panels: readonly HTMLElement[];
}

export function offerTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.code-group')].map(asTabs);
  const choose = (label: string) => {
    for (const group of groups) select(group, label);
  };
  for (const { tabs } of groups) {
    for (const [index, tab] of tabs.entries()) {
      const take = (wanted: HTMLButtonElement | undefined) => {
        if (!wanted) return;
        const before = wanted.getBoundingClientRect().top;
        choose(wanted.dataset.label ?? '');
        // Examples above have changed their height; what was pressed stays where it is.
        window.scrollBy(0, wanted.getBoundingClientRect().top - before);
        remember(KEY, wanted.dataset.label ?? null);
        wanted.focus();
      };
      tab.addEventListener('click', () => take(tab));
      tab.addEventListener('keydown', ({ key }) => {
        if (key === 'ArrowRight') take(tabs[(index + 1) % tabs.length]);
        if (key === 'ArrowLeft') take(tabs.at(index - 1));
      });
    }
  }
  choose(remembered(KEY) ?? '');
}

function asTabs(box: HTMLElement, group: number): Group {
  const panels = [...box.querySelectorAll<HTMLElement>('.code')];
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the example');
  const tabs = panels.map((panel, index) => tabFor(panel, `example-${group}-${index}`));
  list.append(...tabs);
  box.prepend(list);
  box.classList.add('tabbed');
  return { tabs, panels };
}

function tabFor(panel: HTMLElement, id: string): HTMLButtonElement {
  const label = panel.dataset.label ?? '';
  const tab = document.createElement('button');
  tab.type = 'button';
  tab.textContent = label;
  tab.dataset.label = label;
  tab.id = `${id}-tab`;
  tab.setAttribute('role', 'tab');
  tab.setAttribute('aria-controls', id);
  panel.id = id;
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  return tab;
}

/** A group that has no example in that language stays as it is, or shows its first. */
function select({ tabs, panels }: Group, label: string): void {
  const shown = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
  const wanted = tabs.findIndex((tab) => tab.dataset.label === label);
  const chosen = wanted >= 0 ? wanted : Math.max(shown, 0);
  for (const [index, tab] of tabs.entries()) {
    tab.setAttribute('aria-selected', String(index === chosen));
    tab.tabIndex = index === chosen ? 0 : -1;
    const panel = panels[index];
    if (panel) panel.hidden = index !== chosen;
  }
}
