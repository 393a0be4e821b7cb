//! Where a server is found by others on the network. Asks the system for its addresses; sends nothing.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;

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
