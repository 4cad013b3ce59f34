/** One of a few views of a page. It stands in the address: reloading and sending the link show the same. */
import { useNavigate, useSearch } from '@tanstack/react-router';

export function useChoice<K extends string>(
  name: string,
  options: readonly { readonly key: K }[],
  usual: K,
): readonly [chosen: K, choose: (key: K) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const chosen = options.find(({ key }) => key === search[name])?.key ?? usual;
  const choose = (key: K) => {
    const { [name]: _before, ...others } = search;
    const next = key === usual ? others : { ...others, [name]: key };
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  };
  return [chosen, choose];
}
