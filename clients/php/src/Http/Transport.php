<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Exception\PostriderException;

/**
 * Sends and retries requests, and reads the responses.
 *
 * @phpstan-type RequestOptions array{timeout?: int|float, max_retries?: int, idempotency_key?: string}
 */
final class Transport
{
    /** The maximum number of items of a page. */
    public const MAX_PER_PAGE = 100;

    private const OPTIONS = ['timeout', 'max_retries', 'idempotency_key'];

    /** @param array<string, string> $headers sent with every request */
    public function __construct(
        private readonly HttpClient $http,
        private readonly string $baseUrl,
        private readonly array $headers,
        private readonly float $timeout,
        private readonly int $maxRetries,
    ) {
    }

    /**
     * The whole response: JSON, or text if the API returns a file.
     *
     * @param array<string, int|string> $params
     * @param array<string, mixed> $query
     * @param RequestOptions $options
     */
    public function answer(string $operation, array $params = [], array $query = [], mixed $body = null, array $options = []): mixed
    {
        foreach (array_diff(array_keys($options), self::OPTIONS) as $unknown) {
            throw new \InvalidArgumentException("There is no option `$unknown`: " . implode(', ', self::OPTIONS) . '.');
        }
        // Made once: the same idempotency key for every attempt.
        $request = Request::of($operation, $params, $query, $body, self::checkedKey($options['idempotency_key'] ?? null));
        $timeout = (float) ($options['timeout'] ?? $this->timeout);
        return $this->untilAnswered($request, $timeout, $options['max_retries'] ?? $this->maxRetries);
    }

    /**
     * The content of `data` of the response.
     *
     * @param array<string, int|string> $params
     * @param array<string, mixed> $query
     * @param RequestOptions $options
     */
    public function data(string $operation, array $params = [], array $query = [], mixed $body = null, array $options = []): mixed
    {
        return $this->answer($operation, $params, $query, $body, $options)['data'];
    }

    /**
     * New entries move the others back while the caller reads, so the next page can repeat an item. Repeated items are
     * left out.
     *
     * @param array<string, int|string> $params
     * @param array<string, mixed> $query
     * @param RequestOptions $options
     * @return \Generator<int, array<string, mixed>>
     */
    public function pages(string $operation, array $params = [], array $query = [], array $options = []): \Generator
    {
        $before = [];
        for ($number = 1, $total = 1; $number <= $total; $number++) {
            $asked = ['limit' => self::MAX_PER_PAGE, ...$query, 'page' => $number];
            $page = $this->answer($operation, $params, $asked, options: $options);
            $seen = [];
            foreach ($page['data'] as $item) {
                $key = ($item['id'] ?? '') . ' ' . ($item['version'] ?? '');
                $seen[$key] = true;
                if (!isset($before[$key])) {
                    yield $item;
                }
            }
            $before = $seen;
            $total = $page['pagination']['total_pages'];
        }
    }

    /**
     * Misses no entry and repeats none.
     *
     * @param array<string, int|string> $params
     * @param array<string, mixed> $query
     * @param RequestOptions $options
     * @return \Generator<int, array<string, mixed>>
     */
    public function cursor(string $operation, array $params = [], array $query = [], array $options = []): \Generator
    {
        $cursor = null;
        do {
            $asked = ['limit' => self::MAX_PER_PAGE, ...$query, 'cursor' => $cursor];
            $page = $this->answer($operation, $params, $asked, options: $options);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $cursor = $page['pagination']['next_cursor'];
        } while ($cursor !== null);
    }

    /**
     * The lines of a stream, from one connection.
     *
     * @param array<string, string> $headers
     * @return \Generator<int, string>
     */
    public function lines(string $operation, array $headers, float $silence): \Generator
    {
        $request = Request::of($operation, headers: $headers);
        return $this->http->lines($this->baseUrl . $request->target, $request->headers + $this->headers, $silence);
    }

    private function untilAnswered(Request $request, float $timeout, int $maxRetries): mixed
    {
        for ($attempt = 1; ; $attempt++) {
            try {
                $url = $this->baseUrl . $request->target;
                $headers = $request->headers + $this->headers;
                return $this->http->send($request->method, $url, $headers, $request->body, $timeout)->read();
            } catch (PostriderException $error) {
                $error->attempts = $attempt;
                $chance = random_int(0, 1_000_000) / 1_000_000;
                $delay = $attempt > $maxRetries ? null : Retry::delay($error, $request->operation, $attempt, $chance);
                if ($delay === null) {
                    throw $error;
                }
            }
            usleep((int) ($delay * 1_000_000));
        }
    }

    /** The key becomes a header, so it must not contain a line end. */
    private static function checkedKey(?string $key): ?string
    {
        if ($key !== null && preg_match('/^[\x20-\x7e]+$/D', $key) !== 1) {
            throw new \InvalidArgumentException('idempotency_key must be plain, visible characters (ASCII).');
        }
        return $key;
    }
}
