<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 429: too many requests (`RATE_LIMITED`), or the sending limit is reached (`LIMIT_EXCEEDED`). */
class RateLimitException extends PostriderException
{
}
