<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Exception\ConnectionFailedException;

/** One attempt at a request. Yours may go through another library; without one, cURL is used. */
interface HttpClient
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout seconds, for all of it
     * @throws ConnectionFailedException without an answer
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): Response;

    /**
     * The lines of an answer that does not end by itself, as they come.
     *
     * @param array<string, string> $headers
     * @param float $silence after so many seconds without a byte the connection is given up
     * @return \Generator<int, string>
     * @throws ConnectionFailedException when the connection breaks
     */
    public function lines(string $url, array $headers, float $silence): \Generator;
}
