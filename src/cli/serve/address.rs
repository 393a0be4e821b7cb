//! Where a server listens, and where it is found by others on the network. Asks the system for its addresses; sends
//! nothing.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;

/// The port when none is named.
const PORT: u16 = 8000;

/// Where to listen, as far as somebody said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen {
    /// The address; none for the usual one.
    ip: Option<IpAddr>,
    port: u16,
}

impl Listen {
    /// Where nobody said anything.
    pub(super) const USUAL: Self = Self { ip: None, port: PORT };

    /// The whole address: where none was named everywhere, but behind a proxy only for that.
    pub(super) fn address(self, behind_proxy: bool) -> SocketAddr {
        let usual = if behind_proxy { Ipv4Addr::LOCALHOST } else { Ipv4Addr::UNSPECIFIED };
        SocketAddr::new(self.ip.unwrap_or(IpAddr::V4(usual)), self.port)
    }
}

impl FromStr for Listen {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let of_host = |host: &str| match host {
            "" => Some(None),
            "localhost" => Some(Some(IpAddr::V4(Ipv4Addr::LOCALHOST))),
            _ => host.parse().ok().map(Some),
        };
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Self { ip: Some(address.ip()), port: address.port() });
        }
        if let Ok(port) = text.parse() {
            return Ok(Self { port, ..Self::USUAL });
        }
        if let (Some(ip), false) = (of_host(text), text.is_empty()) {
            return Ok(Self { ip, ..Self::USUAL });
        }
        let apart = text.rsplit_once(':').and_then(|(host, port)| Some((of_host(host)?, port.parse().ok()?)));
        let (ip, port) = apart.ok_or(
            "expected an address of this machine with a port, as in 10.0.0.2:8001, or a port alone, as in 8001",
        )?;
        Ok(Self { ip, port })
    }
}

/// The address to give to people: for a server that listens everywhere, that of this machine on its network.
pub(super) fn url(listens: SocketAddr) -> String {
    let host = match listens.ip() {
        ip if ip.is_unspecified() => of_machine().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        ip => ip,
    };
    match listens.port() {
        80 => format!("http://{}", SocketAddr::new(host, 80)).trim_end_matches(":80").to_owned(),
        port => format!("http://{}", SocketAddr::new(host, port)),
    }
}

/// Whether an address of [`url`]'s leads nowhere from another machine.
pub(super) fn is_of_this_machine(url: &str) -> bool {
    url.starts_with("http://127.") || url.starts_with("http://[::1]")
}

/// The first address of an interface that is up and leads somewhere; private ones first, as those of a school are.
fn of_machine() -> Option<IpAddr> {
    let mut found: Vec<Ipv4Addr> = getifaddrs()
        .ok()?
        .filter(|interface| {
            let leads_somewhere = !interface.flags.contains(InterfaceFlags::IFF_LOOPBACK)
                && !interface.interface_name.starts_with("docker")
                && !interface.interface_name.starts_with("br-")
                && !interface.interface_name.starts_with("veth");
            leads_somewhere && interface.flags.contains(InterfaceFlags::IFF_UP)
        })
        .filter_map(|interface| Some(interface.address?.as_sockaddr_in()?.ip()))
        .collect();
    found.sort_by_key(|ip| !ip.is_private());
    found.first().map(|ip| IpAddr::V4(*ip))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_a_place_to_listen() {
        let of = |text: &str| text.parse::<Listen>().map(|listen| listen.address(false).to_string());
        for (text, address) in [
            ("8001", "0.0.0.0:8001"),
            (":8001", "0.0.0.0:8001"),
            ("10.0.0.2", "10.0.0.2:8000"),
            ("10.0.0.2:80", "10.0.0.2:80"),
            ("localhost", "127.0.0.1:8000"),
            ("localhost:8001", "127.0.0.1:8001"),
            ("::1", "[::1]:8000"),
            ("[::1]:81", "[::1]:81"),
        ] {
            assert_eq!(of(text).as_deref(), Ok(address), "{text}");
        }
        for text in
            ["", ":", "80000", "localhost:", "localhost:80000", "example.org:80", "http://10.0.0.2:80"]
        {
            assert!(of(text).is_err(), "{text}");
        }
        let port: Listen = "8001".parse().unwrap();
        assert_eq!(port.address(true).to_string(), "127.0.0.1:8001", "behind a proxy");
        assert_eq!(Listen::USUAL.address(false).to_string(), "0.0.0.0:8000");
    }

    #[test]
    fn an_address_is_one_that_can_be_typed() {
        let of = |text: &str| url(text.parse().unwrap());
        assert_eq!(of("127.0.0.1:8000"), "http://127.0.0.1:8000");
        assert_eq!(of("10.0.0.7:80"), "http://10.0.0.7");
        assert_eq!(of("[::1]:81"), "http://[::1]:81");
        assert!(is_of_this_machine(&of("[::1]:81")) && is_of_this_machine(&of("127.0.0.1:80")));
        assert!(!is_of_this_machine(&of("10.0.0.7:80")));
        assert!(!of("0.0.0.0:8000").contains("0.0.0.0"));
    }
}
