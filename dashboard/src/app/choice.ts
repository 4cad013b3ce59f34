/** One of a few views of a page. The address contains the choice, so a reload or a shared link shows the same view. */
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
