//! Bounds how often an address may call, by the generic cell rate algorithm.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::problem::Problem;

/// Counts by address.
pub struct RateLimit(DefaultKeyedRateLimiter<IpAddr>);

impl RateLimit {
    /// `rate` requests a second, after the first `burst` at once.
    pub fn new(rate: NonZeroU32, burst: NonZeroU32) -> Self {
        Self(RateLimiter::keyed(
            Quota::per_second(rate).allow_burst(burst),
        ))
    }

    /// Counts a request from `address`, or refuses it.
    pub fn check(&self, address: IpAddr) -> Result<(), Problem> {
        self.0.check_key(&payer(address)).map_err(|refused| {
            Problem::too_many_requests(refused.wait_time_from(DefaultClock::default().now()))
        })
    }

    /// Forgets addresses that have not called for long enough to have their whole burst again.
    pub fn forget_idle(&self) {
        self.0.retain_recent();
        self.0.shrink_to_fit();
    }
}

/// Who is counted: an IPv6 subscriber has a whole /64 network of addresses.
fn payer(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(
            address.to_bits() & !u128::from(u64::MAX),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit() -> RateLimit {
        RateLimit::new(NonZeroU32::MIN, NonZeroU32::new(2).unwrap())
    }

    #[test]
    fn an_address_has_its_burst_and_then_waits() {
        let limit = limit();
        let address = "192.0.2.1".parse().unwrap();
        assert!(limit.check(address).is_ok());
        assert!(limit.check(address).is_ok());
        assert_eq!(limit.check(address).unwrap_err().details().status, 429);
        assert!(limit.check("192.0.2.2".parse().unwrap()).is_ok());
    }

    #[test]
    fn a_network_of_ipv6_addresses_counts_as_one() {
        let limit = limit();
        for (address, taken) in [
            ("2001:db8::1", true),
            ("2001:db8::2", true),
            ("2001:db8::3", false),
            ("2001:db8:0:1::1", true),
        ] {
            assert_eq!(
                limit.check(address.parse().unwrap()).is_ok(),
                taken,
                "{address}"
            );
        }
    }

    #[test]
    fn an_ipv4_address_is_the_same_however_it_is_written() {
        let limit = limit();
        for (address, taken) in [
            ("192.0.2.1", true),
            ("::ffff:192.0.2.1", true),
            ("192.0.2.1", false),
        ] {
            assert_eq!(
                limit.check(address.parse().unwrap()).is_ok(),
                taken,
                "{address}"
            );
        }
    }
}
