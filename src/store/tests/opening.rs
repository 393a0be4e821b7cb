//! Opening a database: whose it is, of which version, after which death.

use super::*;

#[test]
fn a_second_process_is_refused_by_name() {
    let scene = scene(1);
    let refused = Store::open(scene.store.path(), 0).err().expect("it is in use").to_string();
    let own = std::process::id();
    assert!(refused.contains(&format!("is in use by another touchstone (process {own})")), "{refused}");
    scene.submit(0, 2000);
    scene.reopen();
}
